/** True when two JSON values mean the same; for small values that are compared about once a second. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return Number.isNaN(a) && Number.isNaN(b)
  }
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  if (Array.isArray(b)) return false
  return sameFields(a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>)
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false
  return true
}

function sameFields(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let left = 0
  for (const key in a) {
    if (a[key] === undefined) continue
    if (!same(a[key], b[key])) return false
    left++
  }
  let right = 0
  for (const key in b) if (b[key] !== undefined) right++
  return left === right
}

/** An object and its usual changes alternate between a few values, such as an empty list and a full one. */
const latelyAtMost = 4

/** The value, or one that means the same and was used lately under this name: those of a fleet are kept once. */
export function keptOnce<T>(lately: Map<string, readonly object[]>, name: string, value: T): T {
  if (typeof value !== 'object' || value === null) return value
  const values = lately.get(name) ?? []
  for (const one of values) if (same(one, value)) return one as T
  lately.set(name, [value, ...values.slice(0, latelyAtMost - 1)])
  return value
}
