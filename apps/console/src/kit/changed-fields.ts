// The changes of a record that a form sends.

/** Lists and records are compared as a whole. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ: nothing else is sent, so that two users do not undo each other's changes unseen. */
export function changedFields<T extends object>(before: object, after: T): Partial<T> {
  const known = before as Readonly<Record<string, unknown>>
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, known[name]))
  return Object.fromEntries(changed) as Partial<T>
}
