import { expect, test } from 'vitest'
import { countries } from '../../ui/countries.ts'
import { callingCodeOf, withCallingCode } from './calling-codes.ts'

test('[CONF-024] every country has a calling code', () => {
  expect(countries().filter(({ value }) => callingCodeOf(value) === undefined)).toEqual([])
})

test('[CONF-024] a number of the country is completed, one that names its country is not', () => {
  const cases: [string, string, string][] = [
    ['(212) 555-0123', 'usa', '+12125550123'],
    ['1 212 555 0123', 'usa', '+12125550123'],
    ['07700 900001', 'gbr', '+447700900001'],
    ['8 912 345-67-89', 'rus', '+79123456789'],
    ['06 20 123 4567', 'hun', '+36201234567'],
    ['06 1234 5678', 'ita', '+390612345678'],
    ['612 345 678', 'esp', '+34612345678'],
    ['+44 7700 900001', 'usa', '+44 7700 900001'],
    ['0044 7700 900001', 'usa', '+447700900001'],
    ['07700 900001', 'usa', '07700 900001'],
    ['nobody', 'usa', 'nobody'],
    ['911', 'usa', '911'],
  ]
  for (const [typed, country, sent] of cases) expect(withCallingCode(typed, country), typed).toBe(sent)
})
