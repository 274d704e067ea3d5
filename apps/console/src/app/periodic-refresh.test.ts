import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPeriodicRefresh } from './periodic-refresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  [0, 1],
  [0.5, 151],
  [0.999_999, 300],
])(
  '[USER-007] [LIVE-007] at random %f the first refresh comes after %i s, then one every 5 minutes',
  (random, firstS) => {
    const times: number[] = []
    const startMs = Date.now()
    const stop = startPeriodicRefresh(
      () => times.push((Date.now() - startMs) / 1000),
      () => random,
    )
    vi.advanceTimersByTime((firstS + 600) * 1000)
    expect(times).toEqual([firstS, firstS + 300, firstS + 600])
    stop()
    vi.advanceTimersByTime(3_600_000)
    expect(times).toHaveLength(3)
  },
)

test('a refresh that is stopped before the first one never runs', () => {
  const run = vi.fn()
  startPeriodicRefresh(run, () => 0)()
  vi.advanceTimersByTime(3_600_000)
  expect(run).not.toHaveBeenCalled()
})
