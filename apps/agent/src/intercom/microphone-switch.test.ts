import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { createMicrophoneSwitch, pressLastsMs } from './microphone-switch.ts'

function open() {
  const clock = createTestClock()
  return { clock, microphone: createMicrophoneSwitch(clock) }
}

test('a microphone is open until it is muted, and then while a button is held', () => {
  const { microphone } = open()
  expect([microphone.isMuted(), microphone.isOpen()]).toEqual([false, true])
  microphone.setMuted(true)
  expect([microphone.isMuted(), microphone.isOpen()]).toEqual([true, false])
  microphone.hold('press-one')
  expect([microphone.isMuted(), microphone.isOpen()]).toEqual([true, true])
  microphone.hold('press-two')
  microphone.release('press-one')
  expect(microphone.isOpen()).toBe(true)
  microphone.release('press-two')
  expect(microphone.isOpen()).toBe(false)
  microphone.setMuted(false)
  expect(microphone.isOpen()).toBe(true)
})

test('a press that is not renewed is over, regardless of the clock of the machine', () => {
  const { clock, microphone } = open()
  microphone.setMuted(true)
  microphone.hold('press-one')
  for (let at = 0; at < 5; at++) {
    clock.advance(pressLastsMs - 1)
    expect(microphone.isOpen()).toBe(true)
    microphone.hold('press-one')
  }
  clock.stepWall(3_600_000)
  expect(microphone.isOpen()).toBe(true)
  clock.stepWall(-7_200_000)
  clock.advance(pressLastsMs)
  expect(microphone.isOpen()).toBe(false)
  // The browser is there again, and the button is still held.
  microphone.hold('press-one')
  expect(microphone.isOpen()).toBe(true)
})

test('a renewal that comes after the release does not open the microphone again', () => {
  const { clock, microphone } = open()
  microphone.setMuted(true)
  microphone.hold('press-one')
  microphone.release('press-one')
  expect(microphone.hold('press-one')).toBe(true)
  expect(microphone.isOpen()).toBe(false)
  microphone.release('press-two')
  microphone.hold('press-two')
  clock.advance(60_000)
  microphone.hold('press-two')
  expect(microphone.isOpen()).toBe(false)
})

test('sixteen buttons are held at a time, and what is over makes room', () => {
  const { clock, microphone } = open()
  const held = Array.from({ length: 17 }, (_, at) => microphone.hold(`press-${at}`))
  expect(held).toEqual([...Array.from({ length: 16 }, () => true), false])
  expect(microphone.hold('press-0')).toBe(true)
  microphone.release('press-1')
  expect(microphone.hold('press-17')).toBe(true)
  expect(microphone.hold('press-18')).toBe(false)
  clock.advance(pressLastsMs)
  expect(microphone.hold('press-18')).toBe(true)
})
