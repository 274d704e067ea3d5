import { expect, test } from 'vitest'
import { z } from 'zod'
import { readSettings, SettingsError, wholeNumber } from './settings.ts'

const schema = z.object({
  BACKHAUL_PORT: wholeNumber(0, 65535).default(8080),
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
  BACKHAUL_DATA: z.string(),
  BACKHAUL_ADMIN_PASSWORD: z.string().min(8, 'must have 8 characters').optional(),
})

test('absent and empty variables take their defaults, others are converted', () => {
  expect(
    readSettings({ BACKHAUL_PORT: '0', BACKHAUL_LOG: '', BACKHAUL_DATA: '/data', HOME: '/' }, schema),
  ).toEqual({
    BACKHAUL_PORT: 0,
    BACKHAUL_LOG: 'pretty',
    BACKHAUL_DATA: '/data',
  })
})

test('every wrong variable is named with its rule, and a secret is not shown', () => {
  const wrong = { BACKHAUL_PORT: '99999', BACKHAUL_ADMIN_PASSWORD: 'short' }
  expect(() => readSettings(wrong, schema)).toThrow(SettingsError)
  try {
    readSettings(wrong, schema)
  } catch (error) {
    expect((error as SettingsError).problems).toEqual([
      'BACKHAUL_PORT: must be a whole number from 0 to 65535 (given "99999")',
      'BACKHAUL_DATA: is not set',
      'BACKHAUL_ADMIN_PASSWORD: must have 8 characters (given "…")',
    ])
  }
})

test('a port that is no number is refused', () => {
  expect(() => readSettings({ BACKHAUL_PORT: '80a', BACKHAUL_DATA: '.' }, schema)).toThrow(
    /BACKHAUL_PORT: must be/,
  )
})
