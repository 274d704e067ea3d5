/** The page title from its path (GAP-NAV-02): last segment in words, known abbreviations kept, then the product. */

const abbreviations: Readonly<Record<string, string>> = {
  sw: 'SW',
  mmh: 'MMH',
  vr: 'VR',
  ai: 'AI',
  db: 'DB',
  ifb: 'IFB',
}

const productName = 'Backhaul'

export function pageTitle(pathname: string): string {
  const last = pathname.split('/').filter(Boolean).at(-1)
  if (last === undefined) return productName
  const words = last
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[_\s]+/)
    .filter(Boolean)
    .map((word) => abbreviations[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join(' ')} - ${productName}`
}
