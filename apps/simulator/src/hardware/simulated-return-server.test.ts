import type { ServerWanted, WantedReturn } from '@backhaul/contract/gateway/servers'
import { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import { defaultVrSettings } from '@backhaul/contract/nouns/video-return'
import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { planFleet } from '../fleet/fleet.ts'
import { createMedia, Flow } from './media.ts'
import { SimulatedReturnServer } from './simulated-return-server.ts'

function build() {
  const clock = createTestClock()
  const media = createMedia(clock)
  const [plan] = planFleet({ seed: 1, units: 12, servers: 6 }).returnServers
  if (!plan) throw new Error('no return server is planned')
  const server = new SimulatedReturnServer({ plan, seed: 1, media, clock, loops: 12 })
  const { description: _, ...settings } = defaultVrSettings
  const wantedOf = (slot: string, one: Partial<WantedReturn> = {}): ServerWanted['channels'][number] => ({
    channelId: `ch-${slot}`,
    slot,
    name: slot,
    intake: null,
    recording: false,
    outputs: [],
    videoReturn: { settings, session: null, ...one },
  })
  const statuses = () => server.sample().channels.map(({ status, input }) => [status, input])
  async function fetch(id: string, key: string, port = server.facts().ports[0]?.returnPort ?? 0) {
    const flow = new Flow(id, 50)
    const targets = [{ host: plan?.host ?? '', port }]
    const connected = media
      .connect({ targets, key, flow, signal: new AbortController().signal, hasNetwork: () => true })
      .then(
        () => true,
        () => false,
      )
    await clock.advanceAsync(8000)
    return { flow, connected: await connected }
  }
  return { server, settings, wantedOf, statuses, fetch }
}

test('a channel shows its picture to the one unit that has it and the key, and ends when it is another’s', async () => {
  const { server, wantedOf, statuses, fetch } = build()
  const last = server.slots.at(-1)?.slot ?? ''
  server.apply({ channels: [wantedOf('1'), wantedOf(last)] })
  expect(statuses()).toEqual([
    ['videoReturnInputConnected', 'sdi-1'],
    ['idle', null],
  ])
  const session = { id: 'vr-1', unitId: 'u-1', key: 'a2V5', input: null }
  server.apply({ channels: [wantedOf('1', { session })] })
  expect(statuses()).toEqual([['connecting', 'sdi-1']])
  expect((await fetch('vr-1', 'another')).connected).toBe(false)
  expect((await fetch('vr-2', 'a2V5')).connected).toBe(false)
  const { flow, connected } = await fetch('vr-1', 'a2V5')
  expect(connected).toBe(true)
  const [channel] = ChannelTelemetry.array().parse(server.sample().channels)
  expect(channel).toMatchObject({ status: 'collecting', input: 'sdi-1', video: { codec: 'h264' } })
  expect(flow.kbps).toBeGreaterThan(3000)
  let reason: string | undefined
  flow.onEnd((why) => {
    reason = why
  })
  server.apply({ channels: [wantedOf('1', { session: { ...session, id: 'vr-2' } })] })
  expect([flow.isOpen, reason]).toEqual([false, 'videoReturn.otherUnit'])
})

test('a channel follows what is set on it: input, port, codec, recording', async () => {
  const { server, settings, wantedOf, statuses, fetch } = build()
  const reported: unknown[] = []
  server.onChange(() => reported.push(server.facts().ports[0]?.returnPort))
  const session = { id: 'vr-1', unitId: 'u-1', key: 'a2V5', input: 'sdi-2' as const }
  const custom = { ...settings, feedSelectionMode: 'custom' as const, destinationPort: 31_000 }
  const video = { codec: 'H.265' as const, bitrateKbps: 2000 }
  server.apply({ channels: [wantedOf('1', { session, settings: { ...custom, video, store: true } })] })
  expect(reported).toEqual([31_000])
  expect(statuses()).toEqual([['connecting', 'sdi-2']])
  const { flow } = await fetch('vr-1', 'a2V5', 31_000)
  const [channel] = server.sample().channels
  expect(channel).toMatchObject({ status: 'collecting', recording: true, video: { codec: 'hevc' } })
  expect(flow.kbps).toBeLessThan(2200)
  const inputs = settings.inputs.map((one) => ({ ...one, enabled: one.id === 'sdi-4' }))
  server.apply({ channels: [wantedOf('1', { session, settings: { ...custom, inputs } })] })
  expect(statuses()).toEqual([['idle', null]])
  expect(flow.isOpen).toBe(false)
})
