import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import { expect, test } from 'vitest'
import { countries } from './countries.ts'

test('[CONF-024] all countries of ISO 3166-1 have a name of their own, among them that of the default', () => {
  const all = countries()
  expect([all.length, new Set(all.map(({ value }) => value)).size]).toEqual([249, 249])
  expect(new Set(all.map(({ label }) => label)).size).toBe(249)
  expect(all.filter(({ label }) => /^[A-Z]{2}$/.test(label))).toEqual([])
  expect(all.find(({ value }) => value === defaultPreferences().luSmartCountry)?.label).toBe('United States')
})
