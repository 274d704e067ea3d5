import { expect, it } from 'vitest'
import { leftText } from './pairing-time.ts'

it.each([
  [900_000, '15:00'],
  [899_999, '15:00'],
  [899_000, '14:59'],
  [61_000, '1:01'],
  [1, '0:01'],
  [0, undefined],
  [-5000, undefined],
])('%i ms are left as %s', (leftMs, text) => expect(leftText(leftMs)).toBe(text))
