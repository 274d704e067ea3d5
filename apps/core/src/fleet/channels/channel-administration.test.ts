// Channels as administrators see them: created on a server, renamed, lent to other customers, and removed.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelAdministration: calls, groupAdministration: groups } = api
const capabilities = { protocolsIn: ['bonded', 'srt'], protocolsOut: [], encoders: [], ffmpegVersion: null }

describe.each(enginesOfNight)('administration of channels on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let olivia: Browser
  let hub: TestDevice
  /** MCR-1 and MCR-2. */
  let channelId: string
  let otherId: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.server('MCR', 2)
    hub.report({ capabilities })
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 2)
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.protocolsIn.length === 2)
    const { items } = await nora.call(calls.list, { query: { limit: 2 } })
    ;[channelId, otherId] = items.map(({ uniqueId }) => uniqueId) as [string, string]
  })
  afterEach(() => fleet.remove())

  const create = (body: object) => nora.call(calls.create, { body: { serverId: hub.id, ...body } as never })
  const names = async (browser = nora) =>
    (await browser.call(calls.list, { query: {} })).items.map(({ name }) => name)
  const remove = (id: string) => nora.call(calls.remove, { params: { id } })
  const wantedSlots = (wanted: string[]) =>
    hub.next(
      'serverWanted',
      ({ state }) => `${state.channels.map(({ name }) => name).sort()}` === `${wanted}`,
    )

  it('[CHAN-005] creates a channel for which its server makes room, renames and removes it', async () => {
    const made = await create({ name: 'Studio_A-1' })
    expect(made).toMatchObject({
      name: 'Studio_A-1',
      kind: 'PREVIEW_CHANNEL',
      serverName: 'MCR',
      inventoryName: 'North Broadcasting',
      // Until the server has made room for it.
      status: 'unavailable',
      isBusy: false,
    })
    const { state } = await wantedSlots(['MCR-1', 'MCR-2', 'Studio_A-1'])
    const wanted = (id: string) => state.channels.find((one) => one.channelId === id)
    const { slot, made: room } = wanted(made.uniqueId) ?? {}
    expect([wanted(channelId)?.made, room]).toEqual([undefined, { inputType: null }])
    hub.report({ ports: [{ slot: slot ?? '', ristPort: 21_000, inputAddress: null }] })
    await until(() => fleet.core.channels.known(made.uniqueId)?.status === 'idle')
    const params = { id: made.uniqueId }
    expect(await nora.call(calls.one, { params })).toMatchObject({ port: 21_000, status: 'idle' })
    const input = await create({ name: 'SRT-In', inputType: 'srt' })
    expect(input).toMatchObject({ kind: 'INPUT_CHANNEL', inputType: 'srt' })

    expect(await nora.call(calls.change, { params, body: { name: 'Studio_B' } })).toMatchObject({
      name: 'Studio_B',
    })
    await wantedSlots(['MCR-1', 'MCR-2', 'SRT-In', 'Studio_B'])
    expect(await nora.call(calls.list, { query: { searchValue: 'stud', limit: 1 } })).toMatchObject({
      items: [{ name: 'Studio_B', serverName: 'MCR' }],
      total: 1,
      limit: 1,
    })
    await nora.call(groups.addChannel, { params: { groupId: 'london', channelId: made.uniqueId } })
    const follower = await fleet.follow(olivia, [`channel.${made.uniqueId}`])
    await follower.sees(`channel.${made.uniqueId}`, { name: 'Studio_B' })

    await remove(made.uniqueId)
    await wantedSlots(['MCR-1', 'MCR-2', 'SRT-In'])
    expect(await names()).toEqual(['MCR-1', 'MCR-2', 'SRT-In'])
    await expect(nora.call(calls.one, { params })).rejects.toMatchObject({ status: 404 })
    await until(() => !fleet.core.devices.memberships.membersOf('channel', 'london').includes(made.uniqueId))
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await names()).toEqual(['MCR-1', 'MCR-2', 'SRT-In'])
  })

  it('[CHAN-005] refuses invalid fields, and to remove a channel in use', async () => {
    const refused = (reason: PlainCode) => ({ status: 400, fields: [fault('name', reason)] })
    await expect(create({ name: 'no blanks' })).rejects.toMatchObject(refused('name.letters'))
    await expect(create({ name: 'MCR-1' })).rejects.toMatchObject({
      status: 409,
      fields: [fault('name', 'name.notUnique')],
    })
    const rename = nora.call(calls.change, { params: { id: channelId }, body: { name: 'MCR-2' } })
    await expect(rename).rejects.toMatchObject({ status: 409, message: 'Name field has to be unique' })
    await expect(create({ name: 'In', inputType: 'rtmp' })).rejects.toMatchObject({
      message: 'The server cannot receive RTMP.',
    })
    await expect(create({ name: 'Sdi', sdiNo: 3 })).rejects.toMatchObject({
      message: 'The server has no free SDI output 3.',
    })
    await expect(create({ name: 'Far', serverId: 'nowhere' })).rejects.toMatchObject({ status: 404 })
    const returns = await fleet.server('Returns', 1, { product: 'Video Return Server' })
    await expect(create({ name: 'Back', serverId: returns.id })).rejects.toMatchObject({ status: 404 })
    expect(await names()).toEqual(['MCR-1', 'MCR-2'])
    expect((await nora.call(calls.hosts, {})).map(({ name, inputTypes }) => [name, inputTypes])).toEqual([
      ['MCR', ['srt']],
    ])

    const busy = { status: 409, message: 'Channel busy cannot be removed.' }
    const unit = await fleet.unit('LON-01')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    await expect(remove(channelId)).rejects.toMatchObject(busy)
    expect(await nora.call(calls.one, { params: { id: channelId } })).toMatchObject({ isBusy: true })
    const input = otherId
    hub.telemetry([{ channelId: input, status: 'collecting' }])
    await until(() => fleet.core.channels.known(input)?.status === 'collecting')
    await expect(remove(input)).rejects.toMatchObject(busy)
  })

  it('does not create a removed channel of the server again until a user requests it', async () => {
    const slots = [
      { slot: 'slot-1', name: 'MCR-1', inputType: null },
      { slot: 'slot-2', name: 'MCR-2', inputType: null },
      { slot: 'sdi', name: 'Desk', inputType: null, sdiNo: 3 },
    ]
    const back = async () => {
      hub = await fleet.again(hub, { slots })
      await hub.greet()
    }
    await back()
    await wantedSlots(['Desk', 'MCR-1', 'MCR-2'])
    const desk = (await nora.call(calls.list, { query: { searchValue: 'Desk' } })).items[0]
    expect(desk).toMatchObject({ kind: 'OUTPUT_CHANNEL', sdiNo: 3 })
    await remove(desk?.uniqueId ?? '')
    await remove(channelId)
    await back()
    await wantedSlots(['MCR-2'])
    expect(await names()).toEqual(['MCR-2'])
    expect(await nora.call(calls.hosts, {})).toMatchObject([{ freeSdi: [3] }])
    const again = [await create({ name: 'Gallery', sdiNo: 3 }), await create({ name: 'Plain' })]
    expect(again.map(({ kind }) => kind)).toEqual(['OUTPUT_CHANNEL', 'PREVIEW_CHANNEL'])
    const { state } = await wantedSlots(['Gallery', 'MCR-2', 'Plain'])
    expect(state.channels.map(({ slot, made }) => [slot, made]).sort()).toEqual([
      ['sdi', undefined],
      ['slot-1', undefined],
      ['slot-2', undefined],
    ])
    expect(await nora.call(calls.hosts, {})).toMatchObject([{ freeSdi: [] }])
  })

  it('[CHAN-006] lends a channel to the groups of another inventory, and withdraws it', async () => {
    const root = await fleet.signedIn('root')
    const params = { id: channelId }
    const lent = { inv: 'south', id: channelId }
    const toCairo = () => root.call(groups.addChannel, { params: { groupId: 'cairo', channelId } })
    await expect(toCairo()).rejects.toMatchObject({ status: 404 })
    await root.call(calls.associate, { params: lent })
    await root.call(calls.associate, { params: lent })
    expect((await root.call(calls.inventories, { params, query: {} })).items).toEqual([
      { id: 'north', name: 'North Broadcasting', isHome: true },
      { id: 'south', name: 'South News', isHome: false },
    ])
    const all = await root.call(calls.groupsOfInventories, { params, query: { searchValue: 'news' } })
    expect(all.items.map(({ name, isMember }) => [name, isMember])).toEqual([
      ['Cairo-News', false],
      ['Leeds-News', false],
      ['London-News', true],
    ])
    await toCairo()
    await root.call(groups.addChannel, { params: { groupId: 'leeds', channelId } })
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length === 3)
    const sam = await fleet.signedIn('sam')
    expect(await sam.call(calls.details, { body: { channel: 'MCR-1' } })).toMatchObject({
      uniqueId: channelId,
    })
    expect(await sam.call(calls.info, { params: { group: 'cairo', id: channelId } })).toMatchObject({
      name: 'MCR-1',
    })
    const other = { params: { group: 'cairo', id: otherId } }
    await expect(sam.call(calls.info, other)).rejects.toMatchObject({ status: 404 })

    await expect(
      root.call(calls.disassociate, { params: { inv: 'north', id: channelId } }),
    ).rejects.toMatchObject({ message: 'A channel remains in the inventory of its server.' })
    await expect(nora.call(calls.disassociate, { params: lent })).rejects.toMatchObject({ status: 404 })
    const unit = await fleet.unit('CAI-01', { registrationKey: 'key-cairo' })
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    await sam.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    await expect(root.call(calls.disassociate, { params: lent })).rejects.toMatchObject({
      message: 'Channel busy cannot be removed.',
    })
    await sam.call(api.unitCommands.stop, { params: { id: unit.id } })
    await root.call(calls.disassociate, { params: lent })
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length === 2)
    expect((await root.call(calls.groups, { params, query: {} })).items.map(({ uid }) => uid)).toEqual([
      'leeds',
      'london',
    ])
    await expect(toCairo()).rejects.toMatchObject({ status: 404 })
    await expect(sam.call(calls.details, { body: { uid: channelId } })).rejects.toMatchObject({
      status: 404,
    })
  })
})
