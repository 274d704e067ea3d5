import { expect, test } from 'vitest'
import { createAgeingClock, createTestClock, systemClock } from './clock.ts'

test('timers run in order of time, and an interval repeats until it is cleared', () => {
  const clock = createTestClock(1000)
  const seen: string[] = []
  clock.setTimeout(() => seen.push(`late ${clock.nowMs()}`), 30)
  clock.setTimeout(() => seen.push(`early ${clock.nowMs()}`), 5)
  const every = clock.setInterval(() => seen.push(`every ${clock.nowMs()}`), 10)
  clock.advance(25)
  expect(seen).toEqual(['early 1005', 'every 1010', 'every 1020'])
  clock.clearInterval(every)
  clock.advance(25)
  expect(seen.at(-1)).toBe('late 1030')
  expect(clock.nowMs()).toBe(1050)
  expect(clock.pendingCount()).toBe(0)
})

test('a timer set by a timer runs in the same advance when it is due', () => {
  const clock = createTestClock(0)
  const seen: number[] = []
  clock.setTimeout(() => clock.setTimeout(() => seen.push(clock.nowMs()), 5), 5)
  clock.advance(10)
  expect(seen).toEqual([10])
})

test('advanceAsync lets promises settle between timers', async () => {
  const clock = createTestClock(0)
  const seen: string[] = []
  clock.setTimeout(() => void Promise.resolve().then(() => seen.push('promise')), 1)
  clock.setTimeout(() => seen.push('timer'), 2)
  await clock.advanceAsync(2)
  expect(seen).toEqual(['promise', 'timer'])
})

test('the system clock runs a timeout and does not run a cleared one', async () => {
  const seen: string[] = []
  const cleared = systemClock.setTimeout(() => seen.push('cleared'), 1)
  systemClock.clearTimeout(cleared)
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 5))
  expect(seen).toEqual([])
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1000)
})

test('a wall clock that is set moves neither timers nor monotonic time', () => {
  const clock = createTestClock(1_000_000)
  const seen: number[] = []
  clock.setTimeout(() => seen.push(clock.monotonicMs()), 20)
  clock.advance(10)
  clock.stepWall(-3_600_000)
  clock.advance(10)
  expect(seen).toEqual([20])
  expect(clock.nowMs()).toBe(1_000_020 - 3_600_000)
  const before = systemClock.monotonicMs()
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before)
})

test('an ageing clock begins at the wall time and continues regardless of changes of the wall clock', () => {
  const clock = createTestClock(1_000_000)
  clock.advance(10)
  const ages = createAgeingClock(clock)
  expect(ages.nowMs()).toBe(1_000_010)
  for (const stepMs of [86_400_000, -2 * 86_400_000]) {
    clock.stepWall(stepMs)
    clock.advance(0.4)
    expect(ages.nowMs()).toBe(1_000_010 + Math.round(clock.monotonicMs() - 10))
  }
})

test('a pause of the process lets time go by, and runs what was due at the next advance', () => {
  const clock = createTestClock(1_000_000)
  const seen: number[] = []
  clock.setInterval(() => seen.push(clock.monotonicMs()), 20)
  clock.pause(50)
  expect([clock.nowMs(), clock.monotonicMs(), seen]).toEqual([1_000_050, 50, []])
  clock.advance(0)
  expect(seen).toEqual([50])
})
