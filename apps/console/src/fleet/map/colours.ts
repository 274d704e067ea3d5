// The colours of the map in the theme of the page, by their names in the style sheets.
const properties = {
  water: '--map-water',
  land: '--map-land',
  border: '--map-border',
  names: '--map-label',
  plate: '--surface-2',
  outline: '--outline',
  ink: '--text-1',
  quiet: '--text-2',
  accent: '--accent',
  onAir: '--on-air',
  live: '--status-live',
  preview: '--status-preview',
  ready: '--status-ready',
  store: '--status-store',
  busy: '--status-busy',
  transition: '--status-transition',
  offline: '--status-offline',
  warning: '--status-warning',
  critical: '--status-critical',
} as const

export type Colours = Readonly<Record<keyof typeof properties, string>>

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, style.getPropertyValue(property).trim()]),
  ) as Colours
}

/** Calls when the theme of the page is another one; answers how to stop that. */
export function onTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  return () => observer.disconnect()
}
