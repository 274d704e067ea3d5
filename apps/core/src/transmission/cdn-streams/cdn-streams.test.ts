// Streaming destinations of the channel that a unit transmits to: what its server is sent, and what operators see.
import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import type { DestinationRequest } from '@backhaul/contract/nouns/destinations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { sendingServer } from '../../testing/cdn-calls.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.cdnStreams

describe.each(enginesOfNight)('CDN streaming of a unit on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  let uid: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await sendingServer(fleet, 'MCR', 1)
    unit = await fleet.unit('LON-01')
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
    uid = hub.channelIds[0] ?? ''
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const add = (name: string, more: Partial<DestinationRequest> = {}) =>
    nora.call(api.destinations.add, {
      body: {
        uid,
        destination: { name, streamType: 'RTMP', urlPrimary: `rtmp://cdn.example/live/${name}`, ...more },
      },
    })
  const params = () => ({ id: unit.id })
  const transmit = () => olivia.call(api.unitCommands.start, { params: params(), body: { channel: uid } })
  const start = (...names: string[]) => olivia.call(calls.start, { params: params(), body: names })
  const stop = () => olivia.call(calls.stop, { params: params() })
  const outputs = () =>
    hub
      .newest('serverWanted')
      ?.state.channels.find(({ channelId }) => channelId === uid)
      ?.outputs.map(({ url }) => url.replace('rtmp://cdn.example/live/', ''))
      .join(' ')
  const streams = () =>
    fleet.core.units
      .values(unit.id)
      ?.cdnStreams.map(({ name, state }) => `${name} ${state}`)
      .join(', ')
  const endTransmission = async () => {
    await olivia.call(api.unitCommands.stop, { params: params() })
    unit.report({ applications: {}, transmissionId: null })
    await until(() => fleet.core.channels.known(uid)?.allocatedToUnitUid === null)
  }

  it('[STREAM-011] starts destinations by name and stops them all, as long as the transmission lasts', async () => {
    const { id } = await add('Web')
    await add('Partner', { onDemand: true, urlSecondary: 'rtmp://cdn.example/live/Second' })
    await until(() => outputs() === 'Web')
    const follower = await fleet.follow(olivia, [`unit.${unit.id}`])
    await transmit()
    expect(streams()).toBe('Partner off, Web waiting')
    expect(await start('Partner')).toEqual([
      { name: 'Partner', state: 'waiting', reason: null },
      { name: 'Web', state: 'waiting', reason: null },
    ])
    await until(() => outputs() === 'Partner Second Web')
    const output = { id, since: 1, tries: 1 }
    const telemetry = (state: 'sending' | 'failed', reason: string | null = null, kbps?: number) =>
      hub.telemetry([{ channelId: uid, status: 'collecting', outputs: [{ ...output, state, reason, kbps }] }])
    telemetry('sending', null, 2400)
    await until(() => streams() === 'Partner waiting, Web sending')
    await fleet.pass(200)
    await follower.sees(`unit.${unit.id}`, {
      cdnStreams: [
        { name: 'Partner', state: 'waiting', reason: null },
        { name: 'Web', state: 'sending', reason: null, kbps: 2400 },
      ],
    })
    telemetry('failed', 'Connection refused.')
    await until(() => streams() === 'Partner waiting, Web failed')
    expect(fleet.core.units.values(unit.id)?.cdnStreams[1]?.reason).toBe('Connection refused.')
    expect(await stop()).toEqual([
      { name: 'Partner', state: 'off', reason: null },
      { name: 'Web', state: 'off', reason: null },
    ])
    await until(() => outputs() === '')
    await expect(stop()).rejects.toMatchObject({ status: 409, message: english('cdnStreams.off') })
    await start('Web')
    await start('Web')
    await until(() => outputs() === 'Web')
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
    expect(fleet.core.channels.cdnStreams(uid)?.map(({ isOn }) => isOn)).toEqual([false, true])
  })

  it('[STREAM-011] returns to what each destination does by itself with the next transmission', async () => {
    await add('Web')
    await add('Partner', { onDemand: true })
    await transmit()
    await stop()
    await start('Partner')
    await until(() => outputs() === 'Partner')
    await endTransmission()
    await until(() => outputs() === 'Web')
    expect(streams()).toBe('')
    await transmit()
    await until(() => outputs() === 'Web')
    // One that is added meanwhile sends at once.
    await add('More')
    await until(() => outputs() === 'More Web')
  })

  it('[STREAM-011] is refused with the reason, and changes nothing then', async () => {
    await add('Web', { onDemand: true })
    for (const call of [() => start('Web'), stop])
      await expect(call()).rejects.toMatchObject({ status: 409, message: english('unit.notTransmitting') })
    await transmit()
    await expect(start('Web', 'Weather')).rejects.toMatchObject({
      status: 400,
      fields: [{ field: '1', message: english('destination.notFound') }],
    })
    await expect(start()).rejects.toMatchObject({ status: 400 })
    await expect(start('')).rejects.toMatchObject({ status: 400, fields: [{ field: '0' }] })
    expect(outputs()).toBe('')
    const reed = await fleet.signedIn('reed')
    await expect(reed.call(calls.stop, { params: params() })).rejects.toMatchObject({ status: 403 })
    const sam = await fleet.signedIn('sam')
    await expect(sam.call(calls.stop, { params: params() })).rejects.toMatchObject({ status: 404 })
  })
})
