import { expect, test } from 'vitest'
import { expiryFlags, occasionOf } from './notifications.ts'

const hourMs = 3_600_000
const expiration = '2026-11-21T12:00:00.000Z'
const before = (hours: number) => Date.parse(expiration) - hours * hourMs

test('[SHELL-031] [STAFF-005] the flags of expiry are set in the last 24 and in the last 2 hours', () => {
  const flagsAt = (hours: number) => Object.values(expiryFlags(Date.parse(expiration), before(hours)))
  expect(flagsAt(24.01)).toEqual([false, false])
  expect(flagsAt(24)).toEqual([false, true])
  expect(flagsAt(2.01)).toEqual([false, true])
  expect(flagsAt(2)).toEqual([true, true])
})

test('[SHELL-031] a message is shown again at each of its intervals', () => {
  const occasionAt = (hours: number) => occasionOf({ expiration, intervals: [24, 2] }, before(hours))
  expect([100, 24.01, 24, 3, 2, 0].map(occasionAt)).toEqual([1, 1, 2, 2, 3, 3])
  expect(occasionOf({ expiration, intervals: [] }, before(0))).toBe(1)
})
