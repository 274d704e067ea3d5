import { expect, test } from 'vitest'
import { createTimeline } from './timeline.ts'

const frameTicks = 3000

function rig() {
  let nowMs = 0
  const times = createTimeline({
    unitTicks: frameTicks,
    mostForwardTicks: frameTicks * 0.4,
    nowTicks: () => nowMs * 90,
  })
  const at = (ms: number) => {
    nowMs = ms
    return times.isEarly() ? undefined : times.next()
  }
  return { times, at }
}

const steps = (stamps: readonly (number | undefined)[]) =>
  stamps.slice(1).map((stamp, index) => stamp! - stamps[index]!)
const arrivals = (count: number, atMs: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => atMs(index))

test('frames that arrive late and in a burst keep their distance', () => {
  const { at } = rig()
  const paused = arrivals(120, (index) => Math.max((index * 100) / 3, index > 50 && index < 75 ? 2500 : 0))
  expect(new Set(steps(paused.map(at)))).toEqual(new Set([frameTicks]))
})

test('a source that is slow is followed by little steps, and one that is quick too', () => {
  const slow = rig()
  const slowSteps = steps(arrivals(900, (index) => index * 35).map(slow.at))
  expect(Math.max(...slowSteps)).toBeLessThan(frameTicks * 1.5)
  expect(slowSteps.reduce((sum, step) => sum + step, 0)).toBeGreaterThan((899 * 35 - 150) * 90)
  const quick = rig()
  const quickSteps = steps(arrivals(900, (index) => index * 33).map(quick.at))
  expect(Math.min(...quickSteps)).toBeGreaterThanOrEqual(frameTicks - 90)
  expect(quickSteps.reduce((sum, step) => sum + step, 0)).toBeLessThan((899 * 33 + 100) * 90)
})

test('a loss is skipped once it is certain that nothing more will come', () => {
  const { at } = rig()
  const lost = arrivals(150, (index) => (index * 100) / 3 + (index >= 60 ? 2000 : 0))
  const jumps = steps(lost.map(at)).filter((step) => step > frameTicks * 1.5)
  expect(jumps).toHaveLength(1)
  expect(jumps[0]).toBeGreaterThan(1000 * 90)
})

test('data that a source gathered before it was opened are left out', () => {
  const { at } = rig()
  const burst = arrivals(60, () => 0).map(at)
  expect(burst.filter((stamp) => stamp !== undefined)).toHaveLength(7)
  expect(at(100)).toBe(burst[6]! + frameTicks - 90)
})

test('a source that was opened again continues at the present time, never before what was sent', () => {
  const { times, at } = rig()
  at(0)
  at(33)
  times.restart()
  expect(at(5000)).toBe(5000 * 90)
  times.restart()
  expect(at(5000)).toBe(5000 * 90 + frameTicks)
})
