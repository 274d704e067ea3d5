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
