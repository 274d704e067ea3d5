// SMPTE 2110 through the doors: what is sent to servers, which servers support it, and which channels a unit may not use.
import { api } from '@backhaul/contract/api/api'
import type { UnitWantedMessage } from '@backhaul/contract/gateway/gateway'
import type { SmpteNetworkSettings, SmpteStreams } from '@backhaul/contract/nouns/smpte'
import type { Camera } from '@backhaul/contract/nouns/units'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const side = (address: string) => ({ address, subnetMask: '255.255.255.0', gateway: '' })
const networks: SmpteNetworkSettings = {
  ptpDomain: 127,
  primary: { ...side('10.10.1.20'), gateway: '10.10.1.1' },
  secondary: side('10.20.1.20'),
}
const streams = (last: number): SmpteStreams => ({
  flavor: 'ST 2110-22',
  video: { address: `239.10.1.${last}`, port: 5004 },
  audio: { address: `239.10.2.${last}`, port: 5004 },
  ancillary: { address: `239.10.2.${last}`, port: 5006 },
})
const nothing = { isConfigured: false, lastUpdate: null, configuration: null }
const cannot = { code: 409, message: 'The server cannot put out SMPTE 2110.' }

describe.each(enginesOfNight)('SMPTE 2110 on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let olivia: Browser
  let hub: TestDevice
  let ids: [string, string, string]
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.server('MCR', 3, { outputs: 2 })
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 3)
    // Two feed an SDI output each; the last is for viewing only.
    const sdiOf = (id: string) => known(id)?.sdiNo ?? 3
    ids = hub.channelIds.toSorted((a, b) => sdiOf(a) - sdiOf(b)) as typeof ids
    await can(true)
  })
  afterEach(() => fleet.remove())

  const known = (id: string) => fleet.core.channels.known(id)
  const wanted = () => hub.newest('serverWanted')?.state
  const ofChannel = (id: string) => wanted()?.channels.find(({ channelId }) => channelId === id)?.smpte

  async function can(smpte2110: boolean): Promise<void> {
    const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities: { ...facts, smpte2110 } })
    await until(() => known(ids[0])?.capabilities.smpte2110 === smpte2110)
  }

  const server = (id = hub.id) => nora.call(api.servers.smpte, { params: { id } })
  const channel = (id = ids[0]) => nora.call(api.smpte.channel, { params: { id } })
  const setServer = (configuration: SmpteNetworkSettings | null, id = hub.id, browser = nora) =>
    browser.call(api.smpte.setServer, { params: { id }, body: { configuration } })
  const setChannel = (configuration: SmpteStreams | null, id = ids[0], browser = nora) =>
    browser.call(api.smpte.setChannel, { params: { id }, body: { configuration } })

  it('[CHAN-011] a server that supports it gets its networks, also after a restart', async () => {
    await can(false)
    await expect(setServer(networks)).rejects.toMatchObject(cannot)
    expect(await server()).toEqual(nothing)
    await can(true)
    const lastUpdate = new Date(fleet.clock.nowMs()).toISOString()
    const kept = { lastUpdate, configuration: networks }
    expect(await setServer(networks)).toEqual({ isConfigured: true, ...kept })
    await until(() => wanted()?.smpte !== undefined)
    expect(wanted()?.smpte).toEqual(kept)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await server()).toEqual({ isConfigured: true, ...kept })
    expect(known(ids[0])).toMatchObject({ smpte: true, mode: 'SMPTE' })
    expect(await setServer(null)).toEqual(nothing)
    expect(await server()).toEqual(nothing)
    expect(known(ids[0])).toMatchObject({ smpte: false, mode: 'SDI' })
  })

  it('[CHAN-011] refuses invalid networks, servers of other types, and users who administer nothing', async () => {
    const bad: [Partial<SmpteNetworkSettings>, string, string][] = [
      [{ ptpDomain: 128 }, 'ptpDomain', 'Must be 127 or less'],
      [{ primary: side('10.10.1.300') }, 'primary.address', 'Invalid IP field'],
      [{ primary: { ...side('10.10.1.2'), gateway: 'gate' } }, 'primary.gateway', 'Invalid IP field'],
      [
        { secondary: { ...side('10.20.1.2'), subnetMask: '255.0.255.0' } },
        'secondary.subnetMask',
        'Invalid Subnet Mask field',
      ],
      [{ secondary: networks.primary }, 'secondary.address', 'This field must be unique'],
    ]
    for (const [change, field, message] of bad)
      await expect(setServer({ ...networks, ...change })).rejects.toMatchObject({
        code: 400,
        fields: [{ field: `configuration.${field}`, message }],
      })
    const returns = await fleet.server('Returns', 1, { product: 'Video Return Server' })
    await expect(setServer(null, returns.id)).rejects.toMatchObject({ code: 404 })
    expect(await server(returns.id)).toEqual(nothing)
    await expect(setServer(networks, hub.id, olivia)).rejects.toMatchObject({ code: 403 })
    await expect(setChannel(streams(1), ids[0], olivia)).rejects.toMatchObject({ code: 403 })
    await expect(setChannel(null, returns.channelIds[0])).rejects.toMatchObject({ code: 404 })
  })

  it('[CHAN-011] a unit is not sent to a channel of such a server before the output of the channel is set', async () => {
    const start = (unit: TestDevice, id: string) =>
      olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: id } })
    const unit = await fleet.unit('VAN')
    unit.report({ channelId: ids[0] })
    const selected = () => fleet.core.units.values(unit.id)?.selChannel
    await until(() => selected() !== null && selected() !== undefined)
    await setServer(networks)
    await until(() => selected()?.hasSmpte === true)
    expect(selected()?.smpte2110).toBe(false)
    const missing = { code: 409, message: 'Channel has no SMPTE configuration.' }
    await expect(start(unit, ids[0])).rejects.toMatchObject(missing)
    expect(known(ids[0])?.smpteMetadata).toEqual({ isConfigured: false, lastUpdate: null })
    // A channel for viewing only has no output.
    expect(known(ids[2])?.smpte).toBe(false)
    await start(await fleet.unit('LOOK'), ids[2])

    const { lastUpdate } = await setChannel(streams(1))
    expect(await channel()).toEqual({ isConfigured: true, lastUpdate, configuration: streams(1) })
    await until(() => ofChannel(ids[0]) !== undefined)
    expect(ofChannel(ids[0])).toEqual({ lastUpdate, configuration: streams(1) })
    expect(known(ids[0])).toMatchObject({
      smpte: true,
      mode: 'SMPTE',
      kind: 'OUTPUT_CHANNEL',
      flavor: 'ST 2110-22',
      smpteMetadata: { isConfigured: true, lastUpdate },
    })
    await until(() => selected()?.smpte2110 === true)
    await start(unit, ids[0])
  })

  it('[CHAN-011] several cameras are not sent to such a channel either', async () => {
    const camera: Camera = {
      connected: true,
      kind: 'sdi',
      width: 1920,
      height: 1080,
      fps: 50,
      codec: 'H.265/HEVC',
    }
    const unit = await fleet.unit('CAMERAS')
    unit.report({ capabilities: { multiCamera: true }, camera, cameras: [camera, camera] })
    const values = () => fleet.core.units.values(unit.id)
    await until(() => values()?.cameras.length === 2)
    const params = { id: unit.id }
    const customSelectedChannels = [ids[0], ids[2]]
    const feeds = { numberOfFeeds: 2, channelSelectionMode: 'custom' as const, channel: null }
    await olivia.call(api.cameras.setFeeds, { params, body: { ...feeds, customSelectedChannels } })
    const isNewest = (one: UnitWantedMessage) =>
      one.revision === fleet.core.devices.get(unit.id)?.wantedRevision
    const { revision, state } = await unit.next('wanted', isNewest)
    unit.report({ settings: { ...outOfTheBox, ...state.settings }, appliedRevision: revision })
    await until(() => values()?.multiCameraSelectedMode === 'highQuality')
    await setServer(networks)
    const start = () => olivia.call(api.cameras.start, { params, body: {} })
    await expect(start()).rejects.toMatchObject({
      code: 409,
      message: 'Channel has no SMPTE configuration.',
    })
    await setChannel(streams(1))
    await start()
  })

  it('[CHAN-011] refuses what the outputs of the server do not carry', async () => {
    const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    const smpteOutputs = { flavors: ['ST 2110-20'], ancillary: false }
    hub.report({ capabilities: { ...facts, smpte2110: true, smpteOutputs } })
    const refusal = (field: string, message: string) => ({
      code: 409,
      message,
      fields: [{ field: `configuration.${field}`, message }],
    })
    await expect
      .poll(() => setChannel(streams(1)).catch((error: unknown) => error))
      .toMatchObject(refusal('flavor', 'The server cannot put out ST 2110-22.'))
    const uncompressed = { ...streams(1), flavor: 'ST 2110-20' } as const
    await expect(setChannel(uncompressed)).rejects.toMatchObject(
      refusal('ancillary', 'The server cannot put out ancillary data.'),
    )
    expect(await channel()).toEqual(nothing)
    const without = { ...uncompressed, ancillary: null }
    expect(await setChannel(without)).toMatchObject({ isConfigured: true, configuration: without })
  })

  it('[CHAN-011] refuses two streams to one address and port, and frees them when they are removed', async () => {
    const bad: [Partial<SmpteStreams>, string, string][] = [
      [{ video: { address: '10.1.1.1', port: 5004 } }, 'video.address', 'Must be a multicast address'],
      [{ video: { address: '240.1.1.1', port: 5004 } }, 'video.address', 'Must be a multicast address'],
      [{ video: { address: '239.1.1.1', port: 0 } }, 'video.port', 'Must be 1 or more'],
      [{ audio: streams(1).video }, 'audio.port', 'This field must be unique'],
    ]
    for (const [change, field, message] of bad)
      await expect(setChannel({ ...streams(1), ...change })).rejects.toMatchObject({
        code: 400,
        fields: [{ field: `configuration.${field}`, message }],
      })
    await setChannel(streams(1))
    await setChannel({ ...streams(1), ancillary: null })
    const message = `Channel ${known(ids[0])?.name} is put out to this address and port.`
    await expect(setChannel({ ...streams(2), audio: streams(1).video }, ids[1])).rejects.toMatchObject({
      code: 409,
      message,
      fields: [{ field: 'configuration.audio.address', message }],
    })
    expect(await channel(ids[1])).toEqual(nothing)
    await setChannel({ ...streams(2), audio: { ...streams(1).video, port: 5008 } }, ids[1])
    await can(false)
    expect(known(ids[0])?.smpte).toBe(false)
    await expect(setChannel(streams(3))).rejects.toMatchObject(cannot)
    expect(await setChannel(null)).toEqual(nothing)
    expect(await channel()).toEqual(nothing)
    await until(() => ofChannel(ids[0]) === undefined && ofChannel(ids[1]) !== undefined)
  })
})
