/** Pairing codes: entered at a new machine instead of the group's registration key. */
import type { PlainCode } from '../define/refusals.ts'

/** Letters and digits that are not confused when they are read out: no 0, O, 1, I, L or U. */
export const PAIRING_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const PAIRING_CODE_LENGTH = 8
/** A code admits one machine within this time. */
export const PAIRING_TTL_MS = 15 * 60_000

/** A new code as it is shown, XXXX-XXXX; `pick(n)` returns an unpredictable whole number from 0 below n. */
export function newPairingCode(pick: (below: number) => number): string {
  const letter = () => PAIRING_ALPHABET.charAt(pick(PAIRING_ALPHABET.length))
  const plain = Array.from({ length: PAIRING_CODE_LENGTH }, letter).join('')
  return `${plain.slice(0, 4)}-${plain.slice(4)}`
}

/** The normal form of a code, without case, hyphen and space; undefined when it cannot be a code. */
export function normalPairingCode(text: string): string | undefined {
  const plain = text.replace(/[-\s]/g, '').toUpperCase()
  const isCode =
    plain.length === PAIRING_CODE_LENGTH && [...plain].every((letter) => PAIRING_ALPHABET.includes(letter))
  return isCode ? plain : undefined
}

/** Why a known code admits no machine any more; undefined while it does. Times in ms since 1970. */
export function pairingRefusal(
  code: { expiresMs: number; isUsed: boolean },
  nowMs: number,
): PlainCode | undefined {
  if (code.isUsed) return 'pairing.used'
  return nowMs >= code.expiresMs ? 'pairing.expired' : undefined
}
