import { expect, test } from 'vitest'
import { createLimitFollower, returnKbps } from './return-rate.ts'

const settings = { video: { codec: 'H.264', bitrateKbps: 3000 }, audio: { channels: 2 } } as const

test('a return is encoded as it is set, or with what the limits of the links leave for it', () => {
  expect(returnKbps(settings, Number.POSITIVE_INFINITY)).toBe(3000)
  expect(returnKbps(settings, 2000)).toBe(1604)
  expect(returnKbps({ ...settings, audio: { channels: 0 } }, 2000)).toBe(1700)
  expect(returnKbps(settings, 100)).toBe(100)
})

test('a lower limit holds at once, a higher one after 10 s', () => {
  const { follow } = createLimitFollower()
  expect(follow(2000, 0)).toBe(2000)
  expect(follow(Number.POSITIVE_INFINITY, 100)).toBe(2000)
  expect(follow(2000, 5000)).toBe(2000)
  expect(follow(4000, 6000)).toBe(2000)
  expect(follow(4000, 15_900)).toBe(2000)
  expect(follow(4000, 16_000)).toBe(4000)
  expect(follow(1000, 16_100)).toBe(1000)
})
