import { describe, expect, it } from 'vitest'
import {
  newPairingCode,
  normalPairingCode,
  PAIRING_ALPHABET,
  PAIRING_TTL_MS,
  pairingRefusal,
} from './pairing.ts'

describe('a pairing code', () => {
  it('is two blocks of four out of an alphabet without characters that look alike', () => {
    expect(PAIRING_ALPHABET).not.toMatch(/[01OILU]/)
    expect(new Set(PAIRING_ALPHABET).size).toBe(PAIRING_ALPHABET.length)
    let at = 0
    expect(newPairingCode((below) => at++ % below)).toBe('2345-6789')
    expect(newPairingCode((below) => below - 1)).toBe('ZZZZ-ZZZZ')
  })

  it.each([
    ['K7QM-3XHT', 'K7QM3XHT'],
    ['k7qm3xht', 'K7QM3XHT'],
    [' K7-QM 3X-HT ', 'K7QM3XHT'],
    ['K7QM-3XH', undefined],
    ['K7QM-3XHTT', undefined],
    ['K7QM-3XH0', undefined],
    ['', undefined],
  ])('written %j reads %j', (text, plain) => expect(normalPairingCode(text)).toBe(plain))

  it('admits one machine within a quarter of an hour', () => {
    const code = { expiresMs: PAIRING_TTL_MS, isUsed: false }
    expect(pairingRefusal(code, PAIRING_TTL_MS - 1)).toBeUndefined()
    expect(pairingRefusal(code, PAIRING_TTL_MS)).toMatch('expired')
    expect(pairingRefusal({ ...code, isUsed: true }, 0)).toBe('pairing.used')
  })
})
