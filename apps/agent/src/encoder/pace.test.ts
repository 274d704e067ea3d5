import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

/** `take` says of each frame of a second whether the encoder took it; `perSecond` frames come. */
function watched(perSecond: number, take: (frame: number) => boolean, seconds = 8) {
  let nowMs = 500
  const pace = createPace(20, () => nowMs)
  pace.begin()
  for (let second = 0; second < seconds; second++)
    for (let frame = 0; frame < perSecond; frame++) {
      pace.frame(take(frame))
      nowMs += 1000 / perSecond
    }
  return { pace, pass: (ms: number) => (nowMs += ms) }
}

test('nothing is lost while every frame is taken, and a single one is not named', () => {
  expect(watched(20, () => true).pace.loss()).toBeUndefined()
  let frames = 0
  expect(watched(20, () => ++frames !== 100).pace.loss()).toBeUndefined()
})

test('frames that the encoder does not take are its loss, in steps', () => {
  expect(watched(20, (frame) => frame % 2 === 0).pace.loss()).toEqual({ at: 'encoder', percent: 50 })
  expect(watched(20, (frame) => frame > 0).pace.loss()).toEqual({ at: 'encoder', percent: 5 })
})

test('frames that do not come are the loss of the source', () => {
  expect(watched(8, () => true).pace.loss()).toEqual({ at: 'source', percent: 60 })
  expect(watched(14, (frame) => frame > 0).pace.loss()).toEqual({ at: 'source', percent: 35 })
})

test('a source that gives nothing for a second is no matter of pace', () => {
  const { pace, pass } = watched(20, () => true)
  pass(2000)
  expect(pace.loss()).toBeUndefined()
})

test('the first seconds on air are not judged', () => {
  expect(watched(20, () => false, 5).pace.loss()).toBeUndefined()
  const { pace } = watched(20, () => false)
  pace.begin()
  expect(pace.loss()).toBeUndefined()
})

test('a figure at the edge of a step does not alternate, and a loss is over with a margin', () => {
  /** The figure that is reported after six seconds of each. */
  const named = (percents: readonly number[]) => {
    let nowMs = 500
    const pace = createPace(100, () => nowMs)
    pace.begin()
    return percents.map((lost) => {
      for (let second = 0; second < 6; second++) {
        for (let frame = 0; frame < 100; frame++) pace.frame(frame >= lost)
        nowMs += 1000
      }
      return pace.loss()?.percent ?? 0
    })
  }
  expect(named([3, 4, 3, 2, 1])).toEqual([0, 5, 5, 5, 0])
  expect(named([4, 8, 9, 8, 7, 6])).toEqual([5, 5, 10, 10, 10, 5])
})

test('the loss changes its side only when the other one has lost more for ten seconds', () => {
  let nowMs = 500
  const pace = createPace(20, () => nowMs)
  pace.begin()
  /** The side that is reported after each second. */
  const seconds = (count: number, given: number, taken: number) =>
    Array.from({ length: count }, () => {
      for (let frame = 0; frame < given; frame++) pace.frame(frame < taken)
      nowMs += 1000
      return pace.loss()?.at
    })
  expect(seconds(8, 20, 10).at(-1)).toBe('encoder')
  const alternating = Array.from({ length: 4 }, () => [seconds(6, 10, 10), seconds(6, 20, 10)]).flat(2)
  expect(new Set(alternating)).toEqual(new Set(['encoder']))
  const changed = seconds(16, 10, 10)
  expect(changed.slice(0, 10)).toEqual(Array(10).fill('encoder'))
  expect(changed.at(-1)).toBe('source')
  seconds(6, 20, 20)
  expect(seconds(6, 20, 10).at(-1)).toBe('encoder')
})
