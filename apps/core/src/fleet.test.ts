// The main job through the real doors: a unit registers, reports, is started, goes live, and a browser sees all of it.
import { api } from '@backhaul/contract/api/api'
import type { ServerWantedMessage } from '@backhaul/contract/gateway/gateway'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from './database/testing.ts'
import { createTestFleet, sampleOf, type TestFleet } from './testing/fleet.ts'

describe.each(enginesOfNight)('the fleet on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  it('brings a unit on air and shows the operator every step', async () => {
    const hub = await fleet.server('MCR', 2)
    const unit = await fleet.unit('LON-01')
    await fleet.pass()
    const olivia = await fleet.signedIn('olivia')
    const [channel] = await olivia.call(api.channels.ofGroup, { query: { group: 'london' } })
    const [shown] = await olivia.call(api.units.ofGroup, { query: { group: 'london' } })
    expect(channel).toMatchObject({ name: 'MCR-1', status: 'idle', port: 20_000, allocatedTo: null })
    expect(shown).toMatchObject({ name: 'LON-01', status: 'idle', idle: true, offline: false })
    const channelId = channel?.uniqueId ?? ''
    const topic = `unit.${unit.id}`
    const follower = await fleet.follow(olivia, [topic, `channel.${channelId}`])
    await follower.sees(topic, { status: 'idle', name: 'LON-01' })

    await olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName: 'MCR-1' },
    })
    const selected = await unit.next('wanted', ({ state }) => state.channelId === channelId)
    unit.report({ channelId, appliedRevision: selected.revision })
    await fleet.pass(200)
    await follower.sees(topic, { channelId, selectedChannelName: 'MCR-1' })
    expect(follower.state(topic).command).toMatchObject({ name: 'set_virtual_channel', state: 'confirmed' })

    const { commandId } = await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: {} })
    const wanted = await unit.next('wanted', ({ state }) => state.transmission !== null)
    const { transmission } = wanted.state
    const intakeIn = (message: ServerWantedMessage) =>
      message.state.channels.find((one) => one.channelId === channelId)?.intake
    const serverWanted = await hub.next('serverWanted', (message) => intakeIn(message) != null)
    expect(intakeIn(serverWanted)).toMatchObject({
      transmissionId: transmission?.id,
      unitId: unit.id,
      key: transmission?.key,
      bufferMs: 1000,
    })
    expect(Buffer.from(transmission?.key ?? '', 'base64')).toHaveLength(32)
    expect(transmission?.targets).toEqual([{ host: '127.0.0.1', port: 20_000 }])
    await fleet.pass(200)
    await follower.sees(topic, { transition: 'starting', inTransition: true })
    await follower.sees(`channel.${channelId}`, { allocatedToUnitUid: unit.id, allocatedTo: 'LON-01' })

    unit.report({
      transmissionId: transmission?.id ?? null,
      applications: { video: { state: 'streaming' } },
      state: 'streaming',
      appliedRevision: wanted.revision,
    })
    unit.send({ type: 'telemetry', samples: [sampleOf(Date.now())] })
    hub.telemetry([{ channelId, status: 'collecting', transmissionId: transmission?.id ?? null, kbps: 2700 }])
    await fleet.pass(200)
    await follower.sees(topic, { status: 'streaming', busy: true, inTransition: false })
    await follower.sees(`channel.${channelId}`, { status: 'collecting' })
    expect(follower.state(topic)).toMatchObject({
      command: { id: commandId, state: 'confirmed' },
      uplink: { kbps: 3000, rttMs: 43, lossPercent: 1 },
      selChannel: { status: 'collecting' },
    })
    // The key is only for the unit and the server.
    expect(JSON.stringify(follower.frames)).not.toContain(transmission?.key)

    await olivia.call(api.unitCommands.stop, { params: { id: unit.id } })
    const stopped = await unit.next('wanted', (message) => message.revision > wanted.revision)
    expect(stopped.state.transmission).toBeNull()
    unit.report({ transmissionId: null, applications: {}, appliedRevision: stopped.revision })
    await fleet.pass(200)
    await follower.sees(topic, { status: 'idle', transmission: null, transition: null })
    await follower.sees(`channel.${channelId}`, { allocatedTo: null })
    expect(follower.state(topic).command).toMatchObject({ name: 'stop_streaming', state: 'confirmed' })
    const texts = (await olivia.call(api.units.events, { params: { id: unit.id }, query: {} })).map(
      ({ text }) => text,
    )
    expect(texts).toEqual(
      expect.arrayContaining(['connected', 'onlineToStreaming', 'live', 'streamingToOnline']),
    )
  })
})
