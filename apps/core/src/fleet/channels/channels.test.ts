import { api } from '@backhaul/contract/api/api'
import type { FromCore } from '@backhaul/contract/gateway/gateway'
import { type ChannelStatus, countChannels } from '@backhaul/contract/nouns/channels'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('channels on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let hub: TestDevice
  let channelId: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.server('MCR', 2)
    channelId = hub.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 2)
  })
  afterEach(() => fleet.remove())

  const ofGroup = () => olivia.call(api.channels.ofGroup, { query: { group: 'london' } })

  it('are made of a server’s slots once, and are the same when it comes back', async () => {
    const before = await ofGroup()
    expect(before.map(({ name, kind, status }) => [name, kind, status])).toEqual([
      ['MCR-1', 'PREVIEW_CHANNEL', 'idle'],
      ['MCR-2', 'PREVIEW_CHANNEL', 'idle'],
    ])
    const one = [{ slot: 'slot-1', name: 'Another name', inputType: null }]
    const input = { slot: 'in', name: 'Input', inputType: 'srt' as const }
    const back = await fleet.again(hub, { slots: [...one, input] })
    await back.greet()
    await back.next('serverWanted', ({ state }) => state.channels.length === 3)
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 3)
    back.report({
      ports: [{ slot: 'in', ristPort: null, inputAddress: 'srt://{host}:9000' }],
      addresses: ['192.0.2.10'],
    })
    await until(() => fleet.core.servers.addresses(hub.id)[0] === '192.0.2.10')
    const after = await ofGroup()
    expect(after.map(({ name, kind, status, inputAddress }) => [name, kind, status, inputAddress])).toEqual([
      ['Input', 'INPUT_CHANNEL', 'idle', 'srt://192.0.2.10:9000'],
      ['MCR-1', 'PREVIEW_CHANNEL', 'idle', null],
      ['MCR-2', 'PREVIEW_CHANNEL', 'unavailable', null],
    ])
    expect(after.find(({ name }) => name === 'MCR-1')?.uniqueId).toBe(
      before.find(({ name }) => name === 'MCR-1')?.uniqueId,
    )
  })

  it('are in the groups of their server before it hears of them', async () => {
    const server = await fleet.dial()
    const groupsThen: (readonly string[])[] = []
    server.socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as FromCore
      if (message.type !== 'serverWanted') return
      for (const { channelId } of message.state.channels)
        groupsThen.push(fleet.core.devices.memberships.groupsOf('channel', channelId))
    })
    await server.join('server', 'Studio', 'key-london', 2)
    expect(groupsThen).toEqual([['london'], ['london']])
  })

  it('are outputs where their server can forward what they receive, also those made before it could', async () => {
    const slots = [
      { slot: 'slot-1', name: 'MCR-1', inputType: null, output: true },
      { slot: 'slot-2', name: 'MCR-2', inputType: null },
      { slot: 'slot-3', name: 'MCR-3', inputType: null, output: true },
    ]
    const back = await fleet.again(hub, { slots })
    await back.greet()
    await back.next('serverWanted', ({ state }) => state.channels.length === 3)
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 3)
    expect((await ofGroup()).map(({ name, kind, type }) => [name, kind, type])).toEqual([
      ['MCR-1', 'OUTPUT_CHANNEL', 'OUTPUT_CHANNEL'],
      ['MCR-2', 'PREVIEW_CHANNEL', 'PREVIEW_CHANNEL'],
      ['MCR-3', 'OUTPUT_CHANNEL', 'OUTPUT_CHANNEL'],
    ])
    await fleet.again(back, { slots: slots.map(({ output: _, ...slot }) => slot) })
    await until(() => fleet.core.channels.known(channelId)?.status === 'idle')
    expect((await ofGroup())[0]).toMatchObject({ name: 'MCR-1', kind: 'OUTPUT_CHANNEL' })
  })

  it('show what they receive, and nothing once the server is gone', async () => {
    const follower = await fleet.follow(olivia, [`channel.${channelId}`])
    const failed = { state: 'failed' as const, reason: 'Connection refused.', since: 1000, tries: 3 }
    const outputs = [{ id: 'de-1', ...failed }]
    hub.telemetry([{ channelId, status: 'collecting', kbps: 4100, recovered: 7, health: null, outputs }])
    hub.send({ type: 'levels', channels: [{ channelId, levels: [{ peakDb: -9, rmsDb: -18 }] }] })
    await until(() => fleet.core.channels.known(channelId)?.levels.length === 1)
    const params = { id: channelId }
    expect(await olivia.call(api.channels.status, { params })).toMatchObject({
      status: 'collecting',
      reception: { kbps: 4100, recovered: 7, source: 'bonded' },
    })
    expect((await ofGroup()).find(({ uniqueId }) => uniqueId === channelId)).toMatchObject({ outputs })
    await fleet.pass()
    expect(follower.state(`channel.${channelId}`)).toMatchObject({ outputs })
    hub.socket.close()
    await until(() => fleet.core.channels.known(channelId)?.status === 'offline')
    expect(fleet.core.channels.known(channelId)).toMatchObject({
      reception: null,
      levels: [],
      health: null,
      outputs: [],
    })
    await expect(
      olivia.call(api.channels.record, { params, body: { recording: true } }),
    ).rejects.toMatchObject({ status: 409 })
  })

  it('are set to record, and show it when the server does', async () => {
    const params = { id: channelId }
    await olivia.call(api.channels.record, { params, body: { recording: true } })
    await hub.next('serverWanted', ({ state }) =>
      state.channels.some((channel) => channel.channelId === channelId && channel.recording),
    )
    expect(fleet.core.channels.known(channelId)?.recording).toBe(false)
    hub.telemetry([{ channelId, status: 'collecting', recording: true }])
    await until(() => fleet.core.channels.known(channelId)?.recording === true)
  })

  it('form multi-camera channels with the status of their members', async () => {
    const slots = [
      { slot: 'multi', name: 'MCR-Multi', inputType: null, members: ['slot-1', 'slot-2', 'nowhere'] },
      ...['slot-1', 'slot-2'].map((slot) => ({ slot, name: slot, inputType: null })),
    ]
    const back = await fleet.again(hub, { slots })
    await back.greet()
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 3)
    const read = () => olivia.call(api.channels.multiChannels, { params: { id: 'london' } })
    const report = async (...statuses: ChannelStatus[]) => {
      back.telemetry(statuses.map((status, at) => ({ channelId: hub.channelIds[at] as string, status })))
      await until(() =>
        statuses.every(
          (status, at) => fleet.core.channels.known(hub.channelIds[at] as string)?.status === status,
        ),
      )
      return (await read())[0]
    }
    const both = await report('collecting', 'collecting')
    expect(both?.channels.map(({ uniqueId }) => uniqueId).sort()).toEqual([...hub.channelIds].sort())
    expect(both).toMatchObject({
      name: 'MCR-Multi',
      sdi: false,
      channels: [{ status: 'collecting' }, { status: 'collecting' }],
      status: 'collecting',
      collecting: 2,
      busy: false,
    })
    expect(await report('idle', 'collecting')).toMatchObject({ status: 'idle', collecting: 1 })
    expect(await report('connecting', 'collecting')).toMatchObject({ status: 'collecting', collecting: 1 })
    expect(await report('connecting', 'upgrading')).toMatchObject({ status: 'offline', collecting: 0 })
    const group = (await ofGroup()).find(({ kind }) => kind === 'GROUP_CHANNEL')
    expect(group).toMatchObject({ name: 'MCR-Multi', status: 'offline' })
    expect(countChannels(await ofGroup())).toMatchObject({ busy: 1, idle: 1, offline: 0 })
    back.socket.close()
    await until(() => fleet.core.channels.known(group?.uniqueId ?? '')?.status === 'offline')
  })

  it('[GROUP-009] [CHAN-014] [STREAM-006] toggle the machines of a unit when they are point-to-multipoint', async () => {
    const boss = await fleet.server('Boss150', 1)
    const machine = boss.channelIds[0] as string
    // Channels of the same customer, but out of scope.
    const far = (await fleet.server('Boss150-Far', 1, { registrationKey: 'key-leeds' })).channelIds[0] ?? ''
    const unit = await fleet.unit('LON-01')
    await until(
      () =>
        fleet.core.devices.memberships.groupsOf('channel', machine).length > 0 &&
        fleet.core.devices.memberships.groupsOf('channel', far).length > 0 &&
        fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0,
    )
    const read = () => olivia.call(api.channels.multipoint, { query: { uniqueID: unit.id } })
    expect(await read()).toEqual([{ uid: machine, name: 'Boss150-1', selected: false }])
    const set = (machines: { uid: string }[]) =>
      olivia.call(api.channels.updateMultipoint, { body: { uniqueID: unit.id, machines } })
    const more = 'Feature disabled'
    await expect(set([{ uid: machine }])).rejects.toMatchObject({ status: 409, message: more })
    const byCommand = olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName: machine },
    })
    await expect(byCommand).rejects.toMatchObject({ status: 409, message: more })
    expect(await read()).toMatchObject([{ selected: false }])
    const root = await fleet.signedIn('root')
    const allow = (value: boolean) =>
      root.call(api.inventories.setProperty, { params: { id: 'north', name: 'ptmp' }, body: { value } })
    await allow(true)
    await set([{ uid: machine }])
    expect(await read()).toMatchObject([{ selected: true }])
    const ofMachine = () => root.call(api.channelAdministration.multipoint, { params: { id: machine } })
    expect(await ofMachine()).toEqual([{ uid: unit.id, name: 'LON-01', selected: true }])
    for (const uid of [channelId, far]) await expect(set([{ uid }])).rejects.toMatchObject({ status: 404 })
    unit.report({ state: 'seen' })
    await until(() => fleet.core.units.values(unit.id)?.state === 'seen')
    // A choice can be removed when the customer has lost the feature.
    await allow(false)
    await set([])
    expect(await read()).toMatchObject([{ selected: false }])
  })

  it('[INV-002] [CHAN-014] are machines only on servers that are new enough, and several at once only of contributors', async () => {
    const old = await fleet.server('Boss150-Old', 1, { swVersion: '4.9.9' })
    const boss = await fleet.server('Boss150', 2)
    const unit = await fleet.unit('LON-01')
    const { memberships } = fleet.core.devices
    await until(() => memberships.membersOf('channel', 'london').length === 5)
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    const root = await fleet.signedIn('root')
    const allow = (name: 'ptmp' | 'multipointContributor', value: boolean) =>
      root.call(api.inventories.setProperty, { params: { id: 'north', name }, body: { value } })
    const set = (...machines: (string | undefined)[]) =>
      olivia.call(api.channels.updateMultipoint, {
        body: { uniqueID: unit.id, machines: machines.map((uid) => ({ uid: uid ?? '' })) },
      })
    const choose = (machine: string | undefined) =>
      olivia.call(api.unitCommands.command, {
        params: { id: unit.id, command: 'set_virtual_channel' },
        body: { virtualChannelName: machine ?? '' },
      })
    const disabled = { status: 409, message: 'Feature disabled' }
    const [one, two] = boss.channelIds
    await allow('ptmp', true)
    await expect(set(old.channelIds[0])).rejects.toMatchObject(disabled)
    await expect(choose(old.channelIds[0])).rejects.toMatchObject(disabled)
    await set(one)
    await expect(set(one, two)).rejects.toMatchObject(disabled)
    await expect(choose(two)).rejects.toMatchObject(disabled)
    await allow('multipointContributor', true)
    await set(one, two)
    await allow('multipointContributor', false)
    await set(two)
    await allow('multipointContributor', true)
    // A colleague's choice outside the caller's scope is kept, and does not block the caller's own choice.
    const far = (await fleet.server('Boss150-Far', 1, { registrationKey: 'key-leeds' })).channelIds[0] ?? ''
    const body = { uniqueID: unit.id, machines: [{ uid: far }] }
    await root.call(api.channels.updateMultipoint, { body })
    await choose(one)
    expect(fleet.core.units.values(unit.id)?.selectedChannels).toEqual(expect.arrayContaining([far, one]))
  })

  it('[CHAN-010] are listed by what they feed: SDI outputs, and outputs of every sort', async () => {
    const slots = [
      { slot: 'in', name: 'Encoder', inputType: 'sdi' as const },
      { slot: 'ten', name: 'Desk-10', inputType: null, sdiNo: 10 },
      { slot: 'two', name: 'Desk-2', inputType: null, sdiNo: 2 },
      { slot: 'srt', name: 'Web', inputType: 'srt' as const },
    ]
    const back = await fleet.again(hub, { slots })
    await back.greet()
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 6)
    const read = async (call: typeof api.channels.sdi, inventoryId = 'north') =>
      (await olivia.call(call, { query: { inventoryId } })).map(({ name }) => name)
    expect(await read(api.channels.sdi)).toEqual(['Desk-2', 'Desk-10', 'Encoder'])
    expect(await read(api.channels.output)).toEqual(['Desk-2', 'Desk-10'])
    await expect(read(api.channels.output, 'south')).rejects.toMatchObject({ status: 404 })
  })
})
