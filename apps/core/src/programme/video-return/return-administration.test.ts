// Administration of video return: channels created, set, lent and removed, and settings of a server.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { defaultVrSettings } from '@backhaul/contract/nouns/video-return'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { videoReturnAdministration: calls } = api

describe.each(enginesOfNight)('administration of video return on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let studio: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    studio = await fleet.server('VR', 1, { product: 'Video Return Server' })
    await fleet.server('MCR', 1)
    const far = { product: 'Video Return Server', registrationKey: 'key-cairo' }
    await fleet.server('Far', 1, far)
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'cairo').length === 1)
  })
  afterEach(() => fleet.remove())

  const create = (body: object) =>
    nora.call(calls.create, { body: { serverId: studio.id, ...body } as never })
  const names = async (query = {}) => (await nora.call(calls.list, { query })).items.map(({ name }) => name)
  const wanted = (id: string) =>
    studio.newest('serverWanted')?.state.channels.find(({ channelId }) => channelId === id)?.videoReturn
  const change = (id: string, body: object) => nora.call(calls.change, { params: { id }, body })

  it('[VR-002] [VR-003] creates a channel with four SDI inputs, sets, lends, lists and removes it', async () => {
    expect(await names()).toEqual(['VR-1'])
    const hosts = await nora.call(calls.hosts, {})
    expect(hosts).toEqual([{ uid: studio.id, name: 'VR', inventoryName: 'North Broadcasting' }])
    const made = await create({ name: 'Return-A' })
    expect(made).toMatchObject({ name: 'Return-A', serverName: 'VR', inventoryName: 'North Broadcasting' })
    expect(made.settings).toEqual(defaultVrSettings)
    expect(made.settings.inputs).toHaveLength(4)
    const params = { id: made.uniqueId }
    await until(() => wanted(made.uniqueId) !== undefined)
    expect(await names({ searchValue: 'RETURN', sort: 'name,desc' })).toEqual(['Return-A'])

    const video = { codec: 'H.265', bitrateKbps: 2500 }
    const set = { name: 'Return-B', description: 'Clean feed', video, store: true, destinationPort: 31_000 }
    expect(await change(made.uniqueId, set)).toMatchObject({
      name: 'Return-B',
      description: 'Clean feed',
      settings: { video, store: true, destinationPort: 31_000, audio: { channels: 2 } },
    })
    await until(() => wanted(made.uniqueId)?.settings.destinationPort === 31_000)
    const old = { params, body: { audio: { channels: 0 as const } } }
    expect((await nora.call(calls.update, old)).settings).toMatchObject({
      audio: { channels: 0 },
      store: true,
    })
    expect(await nora.call(calls.one, { params })).toMatchObject({ name: 'Return-B' })

    const other = await create({ name: 'Return-C', feedSelectionMode: 'custom', input: 'sdi-2' })
    await expect(change(other.uniqueId, { destinationPort: 31_000 })).rejects.toMatchObject({
      status: 409,
      fields: [fault('destinationPort', because('videoReturn.portTaken', { channel: 'Return-B' }))],
    })
    for (const [destinationPort, message] of [
      [0, 'Must be 1 or more'],
      [65_536, 'Must be 65535 or less'],
    ] as const) {
      await expect(change(other.uniqueId, { destinationPort })).rejects.toMatchObject({
        status: 400,
        fields: [{ field: 'destinationPort', message }],
      })
    }
    const inputs = defaultVrSettings.inputs.map((one) => ({ ...one, enabled: one.id !== 'sdi-2' }))
    expect((await change(other.uniqueId, { inputs })).settings).toMatchObject({ input: null })
    await expect(change(other.uniqueId, { input: 'sdi-2' })).rejects.toMatchObject({ status: 400 })
    await expect(change(other.uniqueId, { inputs: inputs.slice(1) })).rejects.toMatchObject({ status: 400 })
    await expect(create({ name: 'Return-B' })).rejects.toMatchObject({ status: 409 })
    await expect(create({ name: 'On-MCR', serverId: 'nowhere' })).rejects.toMatchObject({ status: 404 })

    const root = await fleet.signedIn('root')
    await root.call(calls.associate, { params: { inv: 'south', id: made.uniqueId } })
    const south = { params: { id: 'south' }, query: {} }
    expect((await root.call(calls.ofInventory, south)).items.map(({ name }) => name)).toEqual([
      'Far-1',
      'Return-B',
    ])
    const lent = await root.call(calls.inventories, { params, query: {} })
    expect(lent.items.map(({ id }) => id)).toEqual(['north', 'south'])
    const groups = await root.call(calls.groupsOfInventories, { params, query: {} })
    expect(groups.items.map(({ uid }) => uid).sort()).toEqual(['cairo', 'leeds', 'london'])
    const add = { params: { groupId: 'london', id: made.uniqueId } }
    await nora.call(api.groupAdministration.addVrChannel, add)
    await until(() => fleet.core.devices.memberships.groupsOf('channel', made.uniqueId).length === 1)
    const own = await nora.call(calls.groups, { params, query: {} })
    expect(own.items).toMatchObject([{ uid: 'london', isMember: true }])
    await root.call(calls.disassociate, { params: { inv: 'south', id: made.uniqueId } })
    expect((await root.call(calls.ofInventory, south)).total).toBe(1)

    await nora.call(calls.remove, { params })
    expect(await names()).toEqual(['Return-C', 'VR-1'])
    await until(() => wanted(made.uniqueId) === undefined)
    const olivia = await fleet.signedIn('olivia')
    await expect(olivia.call(calls.list, { query: {} })).rejects.toMatchObject({ status: 403 })
  })

  it('[VR-006] sets a server: its first port, the buffer of units, and how many may receive at the same time', async () => {
    const params = { id: studio.id }
    const read = () => nora.call(calls.serverConfiguration, { params })
    expect(await read()).toEqual({ firstPort: 24_001, latencyMs: 500, maxReturns: 64 })
    const body = { firstPort: 26_000, latencyMs: 900, maxReturns: 1 }
    expect(await nora.call(calls.configureServer, { params, body })).toEqual(body)
    await studio.next('serverWanted', ({ state }) => state.returns?.firstPort === 26_000)
    expect(await read()).toEqual(body)
    const wrong = nora.call(calls.configureServer, { params, body: { ...body, firstPort: 70_000 } })
    await expect(wrong).rejects.toMatchObject({
      fields: [{ field: 'firstPort', message: 'Must be 65535 or less' }],
    })
    const mcr = fleet.core.devices.all('server').find(({ name }) => name === 'MCR')?.id ?? ''
    const other = nora.call(calls.serverConfiguration, { params: { id: mcr } })
    await expect(other).rejects.toMatchObject({ status: 404 })

    // Two channels, two units, room for one.
    const made = await create({ name: 'Return-A' })
    const channelIds = [studio.channelIds[0] ?? '', made.uniqueId]
    const { slot = '' } = studio
      .newest('serverWanted')
      ?.state.channels.find(({ channelId }) => channelId === made.uniqueId) ?? { slot: '' }
    studio.report({
      ports: ['slot-1', slot].map((one, at) => ({
        slot: one,
        ristPort: null,
        inputAddress: null,
        returnPort: 26_000 + at,
      })),
    })
    studio.telemetry(channelIds.map((channelId) => ({ channelId, status: 'videoReturnInputConnected' })))
    await until(() => fleet.core.channels.known(made.uniqueId)?.status === 'videoReturnInputConnected')
    const start = async (name: string, channel: string) => {
      const unit = await fleet.unit(name)
      unit.report({ capabilities: { videoReturn: true } })
      await until(() => fleet.core.units.values(unit.id)?.capabilities.videoReturn === true)
      await nora.call(api.videoReturn.select, { params: { id: unit.id }, body: { channel } })
      await nora.call(api.videoReturn.start, { params: { id: unit.id } })
      return unit
    }
    const first = await start('LON-01', channelIds[0] ?? '')
    const { state } = await first.next('wanted', (one) => !!one.state.videoReturn)
    expect(state.videoReturn).toMatchObject({ latencyMs: 900, targets: [{ port: 26_000 }] })
    await expect(nora.call(calls.remove, { params: { id: channelIds[0] ?? '' } })).rejects.toMatchObject({
      status: 409,
      message: 'Channel busy cannot be removed.',
    })
    await expect(start('LON-02', made.uniqueId)).rejects.toMatchObject({
      status: 409,
      cause: { code: 'videoReturn.serverFull', params: { most: 1 } },
    })
    // The picture has another address: the unit is sent it, and continues.
    studio.report({
      ports: [{ slot: 'slot-1', ristPort: null, inputAddress: null, returnPort: 27_000 }],
    })
    await first.next('wanted', (one) => one.state.videoReturn?.targets[0]?.port === 27_000)
    // A change of the buffer holds for a picture that is on its way.
    await nora.call(calls.configureServer, { params, body: { ...body, latencyMs: 1200 } })
    await first.next('wanted', (one) => one.state.videoReturn?.latencyMs === 1200)
  })
})
