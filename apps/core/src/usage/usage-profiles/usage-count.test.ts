import { periodStart, type UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import { describe, expect, it } from 'vitest'
import { addTo, countIn, usageOf } from './usage-count.ts'

const start = (now: string, resetDay: number) =>
  new Date(periodStart(Date.parse(now), resetDay)).toISOString()
const at = (day: string) => `${day}T00:00:00.000Z`

describe('the reset day', () => {
  it('is the newest one that has been reached', () => {
    expect(start('2026-11-21T16:00:00Z', 1)).toBe(at('2026-11-01'))
    expect(start('2026-11-21T16:00:00Z', 21)).toBe(at('2026-11-21'))
    expect(start('2026-11-21T16:00:00Z', 22)).toBe(at('2026-10-22'))
    expect(start('2026-01-05T16:00:00Z', 6)).toBe(at('2025-12-06'))
  })

  it('starts at midnight and not before', () => {
    expect(start('2026-11-20T23:59:59.999Z', 21)).toBe(at('2026-10-21'))
    expect(start('2026-11-21T00:00:00Z', 21)).toBe(at('2026-11-21'))
  })

  it('[USER-006] is the last day of a month that is too short for it', () => {
    expect(start('2026-02-27T12:00:00Z', 31)).toBe(at('2026-01-31'))
    expect(start('2026-02-28T12:00:00Z', 31)).toBe(at('2026-02-28'))
    expect(start('2026-02-28T12:00:00Z', 30)).toBe(at('2026-02-28'))
    expect(start('2028-02-28T12:00:00Z', 30)).toBe(at('2028-01-30'))
    expect(start('2028-02-29T00:00:00Z', 30)).toBe(at('2028-02-29'))
    expect(start('2026-03-15T12:00:00Z', 29)).toBe(at('2026-02-28'))
    expect(start('2026-04-30T12:00:00Z', 31)).toBe(at('2026-04-30'))
    expect(start('2026-01-15T12:00:00Z', 31)).toBe(at('2025-12-31'))
  })
})

describe('a count', () => {
  const empty = { fromMs: 10, bytes: 0, streamingMs: 0 }

  it('continues with what was used since', () => {
    const count = { fromMs: 10, bytes: 5, streamingMs: 70 }
    addTo(count, { modemBytes: 2.4, streamingMs: 1000 })
    expect(count).toEqual({ fromMs: 10, bytes: 7, streamingMs: 1070 })
  })

  it('starts again when a reset day was reached since it began', () => {
    const count = { fromMs: 500, bytes: 7, streamingMs: 7 }
    expect(countIn(count, 500)).toBe(count)
    expect(countIn(count, 400)).toBe(count)
    expect(countIn(count, 501)).toEqual({ fromMs: 501, bytes: 0, streamingMs: 0 })
    expect(countIn(undefined, 9)).toEqual({ fromMs: 9, bytes: 0, streamingMs: 0 })
  })

  it('is shown in the unit of the profile, and is over it only above the limit', () => {
    const profile: UsageProfile = {
      id: 'up-1',
      inventoryId: 'north',
      name: 'Field',
      type: 'data',
      monthlyLimit: 2,
      resetDay: 9,
      isDefault: false,
      units: [],
    }
    const shown = (bytes: number, more: Partial<UsageProfile> = {}) =>
      usageOf({ ...profile, ...more }, { fromMs: 0, bytes, streamingMs: bytes })
    expect(shown(2_000_000)).toEqual({
      usage: 2,
      usageInfo: { type: 'data', used: 2, limit: 2, resetDay: 9, overUsage: false },
      usageProfileId: 'up-1',
    })
    expect(shown(2_000_001).usageInfo).toMatchObject({ used: 2, overUsage: true })
    expect(shown(9_000_000, { type: 'hours' }).usageInfo).toMatchObject({ used: 2.5, overUsage: true })
    expect(usageOf(undefined, empty)).toEqual({ usage: null, usageInfo: null, usageProfileId: null })
  })
})
