// Recovery codes: for users who lost phone and key; each is valid once, and only its hash is stored.
import { randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@backhaul/contract/nouns/second-factors'
import { hashSecret } from '../../database/secrets.ts'

/** Without what is misread: i, l, o, 0, 1. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
/** About 79 bits, which cannot be guessed even from the hash. */
const [parts, lettersAPart] = [4, 4]

const newCode = (): string =>
  Array.from({ length: parts }, () =>
    Array.from({ length: lettersAPart }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')

/** As typed by a user: capitals, blanks and dashes do not matter. */
export const recoveryCodeHash = (code: string): string =>
  hashSecret(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  return { codes, hashes: codes.map(recoveryCodeHash) }
}
