import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { createScriptedUnit } from './testing/scripted-unit.ts'
import { createTransmission, shownState, steadyMs } from './transmission.ts'

const target = { id: 't-1', channelId: 'ch-1', key: 'a2V5', targets: [{ host: '192.0.2.1', port: 20000 }] }

function build() {
  const clock = createTestClock()
  const hardware = createScriptedUnit(clock.nowMs)
  const states: string[] = []
  const transmission = createTransmission({
    hardware,
    clock,
    random: () => 0,
    onChange: () => states.push(transmission.state()),
  })
  return { clock, hardware, transmission, states }
}

test('a start that succeeds and a stop pass through every state once', async () => {
  const { clock, hardware, transmission, states } = build()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  await transmission.stop()
  expect(states).toEqual(['connecting', 'streaming', 'stopping', 'idle'])
  expect(hardware.calls).toEqual(['start t-1 1000', 'stop'])
  expect(clock.pendingCount()).toBe(0)
})

test('a failed start is retried with growing pauses while it is wanted, and counts as one connecting', async () => {
  const { clock, hardware, transmission } = build()
  hardware.startWill = 'fail'
  const startedAtMs = clock.nowMs()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  expect(transmission.state()).toBe('retrying')
  expect(transmission.failure()).toEqual({ message: 'no answer from the receiver' })
  await clock.advanceAsync(1000 + 2000 + 4000)
  expect(hardware.calls).toHaveLength(4)
  expect(transmission.sinceMs()).toBe(startedAtMs)
  transmission.setDelay(700)
  hardware.startWill = 'succeed'
  await clock.advanceAsync(8000)
  expect(transmission.state()).toBe('streaming')
  expect(transmission.failure()).toBeUndefined()
  expect(hardware.calls.at(-1)).toBe('start t-1 700')
})

test('a stop ends an attempt that hangs, and the hardware is not stopped when nothing was started', async () => {
  const { clock, hardware, transmission } = build()
  hardware.startWill = 'hang'
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  expect(transmission.state()).toBe('connecting')
  await transmission.stop()
  expect(transmission.state()).toBe('idle')
  expect(hardware.calls).toEqual(['start t-1 1000'])
})

test('a stop between two attempts leaves nothing behind', async () => {
  const { clock, hardware, transmission } = build()
  hardware.startWill = 'fail'
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  await transmission.stop()
  expect(transmission.wanted()).toBeUndefined()
  expect(clock.pendingCount()).toBe(0)
  expect(hardware.calls).toEqual(['start t-1 1000'])
})

test('a stream that is lost connects again', async () => {
  const { clock, hardware, transmission, states } = build()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  transmission.lost('link.allDown')
  const lostAtMs = clock.nowMs()
  await clock.advanceAsync(1000)
  expect(states).toEqual(['connecting', 'streaming', 'retrying', 'connecting', 'returning'])
  expect(transmission.sinceMs()).toBe(lostAtMs)
  await clock.advanceAsync(steadyMs)
  expect(states.at(-1)).toBe('streaming')
  expect(hardware.calls).toEqual(['start t-1 1000', 'start t-1 1000'])
})

test('a network that fails every few seconds shows as one connecting, and as streaming once it is stable', async () => {
  const { clock, hardware, transmission } = build()
  const shown: string[] = []
  const noteState = () => {
    if (shown.at(-1) !== shownState(transmission)) shown.push(shownState(transmission))
  }
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  noteState()
  for (let loss = 0; loss < 8; loss++) {
    transmission.lost('link.allDown')
    noteState()
    while (transmission.state() !== 'returning') await clock.advanceAsync(500)
    await clock.advanceAsync(steadyMs - 1000)
    noteState()
  }
  expect(shown).toEqual(['streaming', 'connecting'])
  await clock.advanceAsync(1000)
  noteState()
  expect(shown).toEqual(['streaming', 'connecting', 'streaming'])
  // It was stable, so the next pause is short again.
  transmission.lost('link.allDown')
  const attempts = hardware.calls.length
  await clock.advanceAsync(1000)
  expect(hardware.calls).toHaveLength(attempts + 1)
})

test('a stop ends a stream that has just returned, and the next start is not affected by the earlier loss', async () => {
  const { clock, hardware, transmission } = build()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  transmission.lost('link.allDown')
  await clock.advanceAsync(1000)
  await transmission.stop()
  expect(hardware.calls.at(-1)).toBe('stop')
  expect(clock.pendingCount()).toBe(0)
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  expect(transmission.state()).toBe('streaming')
})

test('a move keeps streaming, and is the transmission once the new receiver is served', async () => {
  const { clock, hardware, transmission, states } = build()
  expect(transmission.canMove()).toBe(false)
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  expect(transmission.canMove()).toBe(true)
  await transmission.move({ ...target, id: 't-2' }, new AbortController().signal)
  expect(transmission.wanted()?.id).toBe('t-2')
  expect(states.filter((state) => state !== 'streaming')).toEqual(['connecting'])
  expect(hardware.calls).toEqual(['start t-1 1000', 'move t-2 1000'])
})

test('a failed move leaves the transmission unchanged', async () => {
  const { clock, hardware, transmission } = build()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  hardware.startWill = 'fail'
  const move = transmission.move({ ...target, id: 't-2' }, new AbortController().signal)
  await expect(move).rejects.toThrow('no answer from the receiver')
  expect([transmission.state(), transmission.wanted()?.id]).toEqual(['streaming', 't-1'])
})

test('a stop ends a move under way', async () => {
  const { clock, hardware, transmission } = build()
  transmission.start(target, 1000)
  await clock.advanceAsync(0)
  hardware.startWill = 'hang'
  const move = transmission.move({ ...target, id: 't-2' }, new AbortController().signal)
  await Promise.all([expect(move).rejects.toThrow('aborted'), transmission.stop()])
  expect(transmission.state()).toBe('idle')
})
