import { expect, test } from 'vitest'
import { trendOf } from './trend.ts'

const samples = (valueAt: (minute: number) => number) =>
  Array.from({ length: 50 }, (_, minute) => ({ minute, value: valueAt(minute) }))

test('what grows steadily is not flat, what goes up and down is', () => {
  const leak = trendOf(samples((minute) => 100_000 + minute * 200 + Math.sin(minute * 7) * 500))!
  expect(leak.perMinute).toBeCloseTo(200, -1)
  expect(leak.isFlat).toBe(false)
  expect(trendOf(samples((minute) => 100_000 + Math.sin(minute) * 5000))!.isFlat).toBe(true)
  expect(trendOf(samples(() => 100_000))).toEqual({ perMinute: 0, noise: 0, isFlat: true })
})

test('what grows by less than 16 kB a minute, or gets smaller, is flat', () => {
  expect(trendOf(samples((minute) => 100_000 + minute * 10))!.isFlat).toBe(true)
  expect(trendOf(samples((minute) => 100_000 - minute * 900))!.isFlat).toBe(true)
})

test('two samples give no trend', () => {
  expect(trendOf(samples((minute) => minute).slice(0, 2))).toBeUndefined()
})
