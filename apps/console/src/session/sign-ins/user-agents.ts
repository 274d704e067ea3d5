const browsers: readonly [mark: RegExp, name: string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [mark: RegExp, name: string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser and system in two words where they are known, else the beginning of the program's own text. */
export function userAgentText(agent: string): string {
  const nameIn = (table: typeof browsers) => table.find(([mark]) => mark.test(agent))?.[1]
  const known = [nameIn(browsers), nameIn(systems)].filter(Boolean).join(', ')
  return known || agent.slice(0, 60)
}
