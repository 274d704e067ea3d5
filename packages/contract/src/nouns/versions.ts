/** Version strings: dotted numbers, compared part by part, missing parts are 0, a build suffix is ignored (GAP-UNIT-11). */

export const versionParts = (version: string): number[] =>
  (/^\s*v?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? '0').split('.').map(Number)

/** Negative when `a` is older than `b`, 0 when equal, positive when newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export const isAtLeast = (version: string, minimum: string): boolean => compareVersions(version, minimum) >= 0
