import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { WantedIntercom } from '@backhaul/contract/gateway/units'
import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { createIntercoms } from './intercoms.ts'
import type { IntercomHardware } from './unit-hardware.ts'

const session = (intercom: 1 | 2, mode: WantedIntercom['mode'] = 'audioRoom'): WantedIntercom => ({
  id: `ic-${intercom}`,
  intercom,
  mode,
  destination: 'ar-1',
  server: 'sip.example',
  account: null,
  roomId: 'ar-1',
  serverId: 'srv-1',
  key: Buffer.alloc(32).toString('base64'),
  targets: [{ host: '127.0.0.1', port: 20_900 }],
})

function build(isAnswered: () => boolean, problem: () => Reason | null = () => null) {
  const clock = createTestClock()
  const calls: string[] = []
  const hardware: IntercomHardware = {
    async connect({ id, roomName }) {
      calls.push(roomName === undefined ? `connect ${id}` : `connect ${id} ${roomName}`)
      if (!isAnswered()) throw new Error('no answer')
    },
    renameRoom: ({ id, roomName }) => void calls.push(`rename ${id} ${roomName}`),
    disconnect: (intercom) => void calls.push(`disconnect ${intercom}`),
    problem,
  }
  const intercoms = createIntercoms({ hardware, clock, random: () => 0, onChange: () => {} })
  const states = () => intercoms.actual().intercoms?.map(({ intercom, state }) => `${intercom} ${state}`)
  return { clock, calls, intercoms, states }
}

test('each line is connected and ended by itself, and reported until it is gone', async () => {
  const { clock, calls, intercoms, states } = build(() => true)
  intercoms.start(session(1))
  expect(states()).toEqual(['1 connecting'])
  expect(intercoms.activities()).toMatchObject({ audioRoom: { state: 'connecting' } })
  await clock.advanceAsync(0)
  intercoms.start(session(2, 'targetChannel'))
  await clock.advanceAsync(0)
  expect(states()).toEqual(['1 connected', '2 connected'])
  expect(intercoms.activities()).toMatchObject({
    audioRoom: { state: 'connected' },
    audioCallBySelectedChannel: { state: 'connected' },
  })
  const ended = intercoms.stop(1)
  expect(states()).toEqual(['1 connected', '2 connected'])
  expect(intercoms.activities()).toMatchObject({ audioRoom: { state: 'disconnecting' } })
  await ended
  expect(states()).toEqual(['2 connected'])
  await intercoms.stopAll()
  expect([states(), intercoms.wanted()]).toEqual([[], []])
  expect(calls).toEqual(['connect ic-1', 'connect ic-2', 'disconnect 1', 'disconnect 2'])
})

test('a call without an answer is retried while it is wanted, and the line that is connecting gives the state', async () => {
  let answers = true
  const { clock, calls, intercoms, states } = build(() => answers)
  intercoms.start(session(2))
  await clock.advanceAsync(0)
  answers = false
  intercoms.start(session(1))
  await clock.advanceAsync(0)
  expect(states()).toEqual(['1 connecting', '2 connected'])
  expect(intercoms.activities()).toMatchObject({ audioRoom: { state: 'connecting' } })
  answers = true
  await clock.advanceAsync(1000)
  expect(states()).toEqual(['1 connected', '2 connected'])
  expect(calls).toEqual(['connect ic-2', 'connect ic-1', 'connect ic-1'])
})

test('[COMM-001] a lost call is connecting again with its reason, and a broken headset gives one while connected', async () => {
  let problem: Reason | null = null
  const { clock, intercoms, states } = build(
    () => true,
    () => problem,
  )
  const failures = () => intercoms.actual().intercoms?.map(({ failure }) => failure)
  intercoms.start(session(1))
  await clock.advanceAsync(0)
  expect([states(), failures()]).toEqual([['1 connected'], [null]])
  problem = because('headset.ended', { jack: 1, message: 'no such device' })
  expect([states(), failures()]).toEqual([
    ['1 connected'],
    ['The sound program of headset 1 ended (no such device).'],
  ])
  problem = null
  intercoms.lost(1, 'intercom.serverSilent')
  expect([states(), failures()]).toEqual([
    ['1 connecting'],
    ['The server of the audio room does not answer on any link.'],
  ])
  expect(intercoms.actual().intercoms?.[0]?.failureCause).toEqual({
    code: 'intercom.serverSilent',
    params: {},
  })
  await clock.advanceAsync(12_000)
  expect([states(), failures()]).toEqual([['1 connected'], [null]])
})

test('another name of the audio room ends nothing, and is that of the next attempt', async () => {
  const { clock, calls, intercoms, states } = build(() => true)
  intercoms.start({ ...session(1), roomName: 'Gallery' })
  await clock.advanceAsync(0)
  intercoms.renameRoom({ ...session(1), roomName: 'Floor' })
  expect([states(), intercoms.wanted()]).toMatchObject([['1 connected'], [{ roomName: 'Floor' }]])
  intercoms.lost(1, 'intercom.serverSilent')
  await clock.advanceAsync(1000)
  expect(calls).toEqual(['connect ic-1 Gallery', 'rename ic-1 Floor', 'connect ic-1 Floor'])
})

test('a unit without an intercom reports none and refuses a session', () => {
  const clock = createTestClock()
  const intercoms = createIntercoms({ hardware: undefined, clock, onChange: () => {} })
  expect(intercoms.actual()).toEqual({})
  expect(() => intercoms.start(session(1))).toThrow('The unit has no such intercom.')
})
