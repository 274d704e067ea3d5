// Forced outputs, and how many channels of a server its licence lets put out.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelAdministration: calls } = api
const capabilities = {
  protocolsIn: ['bonded'],
  protocolsOut: ['mpegts'],
  encoders: ['libx264'],
  ffmpegVersion: '5.1.9',
}

describe.each(enginesOfNight)('outputs of channels on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  let nora: Browser
  let hub: TestDevice
  let ids: [string, string, string]
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    hub = await server('MCR', '10.1.0')
    ids = hub.channelIds as typeof ids
  })
  afterEach(() => fleet.remove())

  async function server(name: string, swVersion: string): Promise<TestDevice> {
    const device = await fleet.server(name, 3, { swVersion })
    device.report({ capabilities })
    await until(() => fleet.core.servers.memory(device.id)?.actual.capabilities?.encoders.length === 1)
    return device
  }
  const known = (id: string) => fleet.core.channels.known(id)
  const force = (id: string, forceOutput: boolean, browser = nora) =>
    browser.call(calls.change, { params: { id }, body: { forceOutput } })
  const license = (outputChannels: number | null, browser = root) =>
    browser.call(api.deviceAdministration.changeServer, {
      params: { id: hub.id },
      body: { outputChannels },
    })
  const sendTo = (uid: string, port: number) =>
    nora.call(api.destinations.add, {
      body: { uid, destination: { name: `Web ${port}`, streamType: 'MPEG-TS', ip: '192.0.2.9', port } },
    })
  const wanted = (id: string) =>
    hub.newest('serverWanted')?.state.channels.find(({ channelId }) => channelId === id)

  it('[CHAN-018] a forced output makes an output channel, of which its server is informed', async () => {
    expect(known(ids[0])).toMatchObject({ kind: 'PREVIEW_CHANNEL', forceOutput: false })
    expect(await force(ids[0], true)).toMatchObject({ kind: 'OUTPUT_CHANNEL', forceOutput: true })
    await until(() => wanted(ids[0])?.forceOutput === true)
    expect(wanted(ids[1])).not.toHaveProperty('forceOutput')
    await fleet.restart()
    expect(known(ids[0])?.forceOutput).toBe(true)
    nora = await fleet.signedIn('nora')
    expect(await force(ids[0], false)).toMatchObject({ kind: 'PREVIEW_CHANNEL', forceOutput: false })
  })

  it('[CHAN-018] a server older than 6.1.2, or one that cannot encode, has none', async () => {
    const refused = (message: string) => ({ status: 409, fields: [{ field: 'forceOutput', message }] })
    const older = await server('Old', '6.1.1')
    await expect(force(older.channelIds[0] as string, true)).rejects.toMatchObject(
      refused('Feature disabled'),
    )
    const just = await server('Just', '6.1.2')
    expect(await force(just.channelIds[0] as string, true)).toMatchObject({ forceOutput: true })
    just.report({ capabilities: { ...capabilities, encoders: [] } })
    await until(() => fleet.core.servers.memory(just.id)?.actual.capabilities?.encoders.length === 0)
    await expect(force(just.channelIds[1] as string, true)).rejects.toMatchObject(
      refused('The server cannot encode.'),
    )
    const olivia = await fleet.signedIn('olivia')
    await expect(force(ids[0], true, olivia)).rejects.toMatchObject({ status: 403 })
  })

  it('[CHAN-018] as many channels put out as the licence of the server allows, regardless of the kind of output', async () => {
    expect(await license(2)).toMatchObject({ outputChannels: 2 })
    await force(ids[0], true)
    const { id } = await sendTo(ids[1], 9000)
    // A channel that puts out already may have more.
    await sendTo(ids[0], 9001)
    const full = { status: 409, message: 'The server supports up to 2 output channels.' }
    await expect(force(ids[2], true)).rejects.toMatchObject(full)
    await expect(sendTo(ids[2], 9002)).rejects.toMatchObject(full)
    expect(known(ids[2])).toMatchObject({ kind: 'PREVIEW_CHANNEL', streamingDestinations: [] })

    await license(1)
    await expect(force(ids[2], true)).rejects.toMatchObject({
      status: 409,
      message: 'Output channel licence exceeded.',
    })
    await nora.call(api.destinations.remove, { body: { uid: ids[1], id } })
    await expect(force(ids[2], true)).rejects.toMatchObject({
      message: 'The server supports up to 1 output channels.',
    })
    await license(null)
    expect(await force(ids[2], true)).toMatchObject({ forceOutput: true })
    await expect(license(3, nora)).rejects.toMatchObject({ status: 403 })
    await expect(license(65)).rejects.toMatchObject({
      fields: [{ field: 'outputChannels', message: 'Must be 64 or less' }],
    })
  })
})
