// Texts for ids and secrets.
import { randomFillSync } from 'node:crypto'

/** Drawn from the system together: a call for each id costs more than the rest of the event that it is for. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** This many random bytes, at most 4,096, as letters, digits, `-` and `_`. */
export function randomText(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const [from, to] = [used, used + bytes]
  used = to
  const text = pool.toString('base64url', from, to)
  // A secret is left in one place only.
  pool.fill(0, from, to)
  return text
}

/**
 * An id that sorts by the time of its making (as UUID version 7 does, RFC 9562): rows that are inserted together are next to
 * each other in each index that begins with it, instead of on a page each. 48 random bits distinguish those of a millisecond.
 */
export const textIdAt = (ms: number): string => ms.toString(36) + randomText(6)
