/** Where a person goes after a sign-in. */

/** The asked path; undefined unless it stays in this console, and for the pages before the console. */
export function safeNextPath(asked: unknown): string | undefined {
  if (typeof asked !== 'string' || !asked.startsWith('/')) return undefined
  // A browser drops tabs and line ends, reads \ as / and takes what follows // for another site.
  if (/^\/[/\\]|\p{Cc}/u.test(asked)) return undefined
  const [path = ''] = asked.split(/[?#]/)
  // What `/.//elsewhere` leads to is here, but its path read on its own is not.
  if (/\/(\.|%2e){1,2}(\/|\\|$)/i.test(path)) return undefined
  return /^\/(login|logout|error|unauthorized_user)\b/.test(path) ? undefined : asked
}

/** The address to load after a sign-in: the asked path, which the last route must not override (GAP-NAV-05). */
export function pathAfterSignIn(asked: unknown): string {
  const [, path = '/', query = '', hash = ''] =
    /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(safeNextPath(asked) ?? '/') ?? []
  if (path === '/') return path + query + hash
  return `${path}${query}${query === '' ? '?' : '&'}ignoreRouteDefault=1${hash}`
}
