import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

// Letters and digits that are distinct in every typeface.
const capitals = 'ABCDEFGHJKMNPQRSTUVWXYZ'
const smalls = 'abcdefghijkmnpqrstuvwxyz'
const digits = '23456789'

/** Four blocks of four, about 70 bits, with a capital, a small letter and a digit in each (VA-USER-05, -06). */
export function newPassword(): string {
  const pick = (from: string) => from.charAt(randomInt(from.length))
  const block = () => pick(capitals) + pick(smalls) + pick(digits) + pick(capitals + smalls + digits)
  return [block(), block(), block(), block()].join('-')
}

/** The first administrator's password: made once, kept in a file that only its owner can read. */
export function keptAdminPassword(path: string): string {
  try {
    writeFileSync(path, `${newPassword()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}
