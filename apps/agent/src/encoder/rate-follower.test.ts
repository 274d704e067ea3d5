import { expect, test } from 'vitest'
import { createRateFollower, pictureFor, videoKbpsFor } from './rate-follower.ts'

const limits = { lowestKbps: 250, highestKbps: 4000, audioKbps: 96 }

/** Passes the capacity in every 200 ms and switches when requested; returns [second, rate] of each switch. */
function drive(startKbps: number, capacityAt: (second: number) => number, seconds: number) {
  const follower = createRateFollower(startKbps, limits, 0)
  const switches: [number, number][] = []
  for (let ms = 200; ms <= seconds * 1000; ms += 200) {
    const next = follower.note(capacityAt(ms / 1000), ms)
    if (next === undefined) continue
    follower.switched(next, ms)
    switches.push([ms / 1000, next])
  }
  return switches
}

test('the video rate leaves room for sound and headers and remains between its limits', () => {
  expect(videoKbpsFor(3000, limits)).toBe(2650)
  expect(videoKbpsFor(100, limits)).toBe(250)
  expect(videoKbpsFor(50_000, limits)).toBe(4000)
})

test('a lost link takes the rate down after 1.2 s of it, below what the rest carries so that a queue drains', () => {
  expect(drive(2650, (second) => (second < 8 ? 3000 : 2200), 12)).toEqual([[9.2, 1700]])
})

test('a small second loss waits until 5 s have passed since the first switch, a deep one only 2 s', () => {
  expect(drive(2650, (second) => (second < 2 ? 2200 : 1700), 10)).toEqual([
    [1.2, 1700],
    [6.2, 1300],
  ])
  expect(drive(2650, (second) => (second < 2 ? 2200 : 1000), 10)).toEqual([
    [1.2, 1700],
    [3.2, 700],
  ])
})

test('a short dip changes nothing', () => {
  expect(drive(2650, (second) => (second > 8 && second < 9 ? 1000 : 3000), 20)).toEqual([])
})

test('room for more is used after 5 s of it, at most one switch each 5 s', () => {
  expect(drive(1000, () => 3000, 4.5)).toEqual([])
  const switches = drive(1000, (second) => 3000 + Math.max(0, second - 6) * 200, 30)
  expect(switches[0]![1]).toBe(2650)
  for (let index = 1; index < switches.length; index++) {
    expect(switches[index]![0] - switches[index - 1]![0]).toBeGreaterThanOrEqual(5)
  }
  expect(switches.at(-1)![1]).toBe(4000)
})

test('links that carry more for a while and then do not are tried ever less often', () => {
  const waves = drive(2650, (second) => (second % 20 < 9 ? 2000 : 3000), 1200)
  expect(waves.length).toBeLessThan(40)
  const early = drive(2650, (second) => (second < 60 && second % 20 < 9 ? 2000 : 3000), 130)
  expect(early.at(-1)![1]).toBe(2650)
})

test('the picture shrinks at low rates', () => {
  expect(pictureFor(4000, 'h264')).toEqual({ width: 1280, height: 720, framesPerSecond: 30 })
  expect(pictureFor(1000, 'h264')).toMatchObject({ width: 960, height: 540 })
  expect(pictureFor(1000, 'h265')).toMatchObject({ width: 1280, height: 720 })
  expect(pictureFor(300, 'h264')).toMatchObject({ width: 640, height: 360 })
  // Motion needs more for the same picture.
  expect(pictureFor(1000, 'h264', undefined, true)).toMatchObject({ height: 360 })
  expect(pictureFor(1600, 'h264', undefined, true)).toMatchObject({ height: 540 })
})
