import { expect, test } from 'vitest'
import { flatHeapKb, flatOwnKb, trendOf } from './trend.ts'

const samples = (valueAt: (minute: number) => number) =>
  Array.from({ length: 50 }, (_, minute) => ({ minute, value: valueAt(minute) }))

test('steady growth is not flat, a figure that goes up and down is', () => {
  const leak = trendOf(
    samples((minute) => 100_000 + minute * 200 + Math.sin(minute * 7) * 500),
    flatHeapKb,
  )!
  expect(leak.perMinute).toBeCloseTo(200, -1)
  expect(leak.isFlat).toBe(false)
  expect(
    trendOf(
      samples((minute) => 100_000 + Math.sin(minute) * 5000),
      flatHeapKb,
    )!.isFlat,
  ).toBe(true)
  expect(
    trendOf(
      samples(() => 100_000),
      flatHeapKb,
    ),
  ).toEqual({ perMinute: 0, noise: 0, isFlat: true })
})

test('growth of less than 16 kB a minute, or a decrease, is flat', () => {
  expect(
    trendOf(
      samples((minute) => 100_000 + minute * 10),
      flatHeapKb,
    )!.isFlat,
  ).toBe(true)
  expect(
    trendOf(
      samples((minute) => 100_000 - minute * 900),
      flatHeapKb,
    )!.isFlat,
  ).toBe(true)
})

test('a process may grow by what its objects, its code and its allocator may', () => {
  const grown = samples((minute) => 100_000 + minute * 40)
  expect(trendOf(grown, flatHeapKb)!.isFlat).toBe(false)
  expect(trendOf(grown, flatOwnKb)!.isFlat).toBe(true)
})

test('growth that may be within the limit is flat, growth that is certainly above it is not', () => {
  const waves = (perMinute: number) =>
    trendOf(
      samples((minute) => 100_000 + minute * perMinute + Math.sin(minute) * 1500),
      flatOwnKb,
    )!
  expect(waves(60).perMinute).toBeGreaterThan(flatOwnKb)
  expect(waves(60).isFlat).toBe(true)
  expect(waves(200).isFlat).toBe(false)
})

test('two samples give no trend', () => {
  expect(trendOf(samples((minute) => minute).slice(0, 2), flatHeapKb)).toBeUndefined()
})
