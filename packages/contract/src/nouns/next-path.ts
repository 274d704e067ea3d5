/** The page after a sign-in. */

/** The requested path; undefined unless it leads to this console, and for the pages before the console. */
export function safeNextPath(requested: unknown): string | undefined {
  if (typeof requested !== 'string' || !requested.startsWith('/')) return undefined
  // A browser drops tabs and line ends, reads \ as / and takes what follows // for another site.
  if (/^\/[/\\]|\p{Cc}/u.test(requested)) return undefined
  const [path = ''] = requested.split(/[?#]/)
  // `/.//elsewhere` leads to this site, but its path on its own does not.
  if (/\/(\.|%2e){1,2}(\/|\\|$)/i.test(path)) return undefined
  return /^\/(login|logout|error|unauthorized_user)\b/.test(path) ? undefined : requested
}

/** The address to load after a sign-in: the requested path, which the last route must not override (GAP-NAV-05). */
export function pathAfterSignIn(requested: unknown): string {
  const [, path = '/', query = '', hash = ''] =
    /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(safeNextPath(requested) ?? '/') ?? []
  if (path === '/') return path + query + hash
  return `${path}${query}${query === '' ? '?' : '&'}ignoreRouteDefault=1${hash}`
}
