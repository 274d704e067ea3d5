// Random texts for ids and secrets.
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
