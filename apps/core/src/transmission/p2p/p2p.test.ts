// Point-to-point units through the doors: one destination each, a stream to it alone, and the groups that they are in.
import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { inputChannelOf } from '../../testing/input-channel.ts'
import { pointToPointFleet } from '../../testing/p2p-calls.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { p2p: calls } = api

describe.each(enginesOfNight)('point-to-point units on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let server: TestDevice
  let first: string
  let second: string
  let nora: Browser
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    ;({
      unit,
      server,
      channelIds: [first, second],
    } = await pointToPointFleet(fleet))
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const create = (destinationChannelUid: string, id = unit.id, by = nora) =>
    by.call(calls.create, { params: { id }, body: { destinationChannelUid } })
  const change = (destinationChannelUid: string) =>
    nora.call(calls.change, { params: params(), body: { destinationChannelUid } })
  const one = (by = olivia) => by.call(calls.one, { params: params() })
  const remove = () => nora.call(calls.remove, { params: params() })
  const start = () => olivia.call(calls.start, { params: params() })
  const stop = () => olivia.call(calls.stop, { params: params() })
  const refused = (code: Parameters<typeof english>[0], status = 409) => ({ status, message: english(code) })
  const values = () => fleet.core.units.values(unit.id)
  const nameOf = (channelId: string) => fleet.core.channels.known(channelId)?.name
  /** The unit does what is wanted of it. */
  function follow(): void {
    const { revision, state } = unit.newest('wanted') ?? {}
    const transmissionId = state?.transmission?.id ?? null
    unit.report({
      channelId: state?.channelId ?? null,
      transmissionId,
      applications: transmissionId === null ? {} : { video: { state: 'streaming' } },
      appliedRevision: revision ?? 0,
    })
  }

  it('[P2P-001] have one destination, which administrators set, change and remove', async () => {
    await expect(one()).rejects.toMatchObject(refused('p2p.notFound', 404))
    for (const call of [() => change(first), remove])
      await expect(call()).rejects.toMatchObject(refused('p2p.notFound', 404))
    const follower = await fleet.follow(olivia, [`unit.${unit.id}`])
    const made = await create(first)
    expect(made).toEqual({
      uid: unit.id,
      name: 'P2P-1',
      destinationChannelUid: first,
      destinationChannelName: nameOf(first),
      streaming: false,
    })
    expect(await one()).toEqual(made)
    await until(() => unit.newest('wanted')?.state.channelId === first)
    await fleet.pass()
    await follower.sees(`unit.${unit.id}`, { destinationChannelUid: first })
    await expect(create(second)).rejects.toMatchObject(refused('p2p.exists'))
    expect(await change(second)).toMatchObject({ destinationChannelName: nameOf(second) })
    await until(() => unit.newest('wanted')?.state.channelId === second)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
    expect(await one()).toMatchObject({ destinationChannelUid: second })
    expect(await remove()).toEqual({ done: true })
    await expect(one()).rejects.toMatchObject(refused('p2p.notFound', 404))
  })

  it('[P2P-001] refuse other products, and channels that do not receive units or are out of reach', async () => {
    const field = await fleet.unit('LON-01')
    await expect(create(first, field.id)).rejects.toMatchObject(refused('p2p.otherProduct'))
    const input = await inputChannelOf(fleet)
    await expect(create(input)).rejects.toMatchObject({
      ...refused('p2p.cannotReceive'),
      fields: [{ field: 'destinationChannelUid' }],
    })
    const returns = await fleet.server('VR', 1, { product: 'Video Return Server' })
    await expect(create(returns.channelIds[0] ?? '')).rejects.toMatchObject(refused('p2p.cannotReceive'))
    const cairo = await fleet.server('CAI', 1, { registrationKey: 'key-cairo' })
    for (const channel of ['none', cairo.channelIds[0] ?? ''])
      await expect(create(channel)).rejects.toMatchObject(refused('channel.notFound', 404))
    await expect(create('')).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'destinationChannelUid' }],
    })
    const old = await fleet.server('OLD', 1, { swVersion: '4.0' })
    await expect(create(old.channelIds[0] ?? '')).rejects.toMatchObject(refused('channel.versionTooLow'))
    await expect(one()).rejects.toMatchObject({ status: 404 })
    await expect(create(first, unit.id, olivia)).rejects.toMatchObject({ status: 403 })
  })

  it('[P2P-002] stream to their destination alone, and move there on air when it changes', async () => {
    await expect(start()).rejects.toMatchObject(refused('p2p.notFound', 404))
    await create(first)
    const other = { params: params(), body: { channel: second } }
    await expect(olivia.call(api.unitCommands.start, other)).rejects.toMatchObject(
      refused('p2p.fixedDestination'),
    )
    const select = (virtualChannelName: string | null) =>
      olivia.call(api.unitCommands.command, {
        params: { ...params(), command: 'set_virtual_channel' },
        body: { virtualChannelName },
      })
    for (const channel of [second, null])
      await expect(select(channel)).rejects.toMatchObject(refused('p2p.fixedDestination'))
    const { commandId } = await start()
    await until(() => unit.newest('wanted')?.state.transmission?.channelId === first)
    expect(await one()).toMatchObject({ streaming: true })
    follow()
    await until(() => values()?.command?.state === 'confirmed')
    expect(values()).toMatchObject({
      command: { id: commandId, name: 'start_streaming' },
      status: 'streaming',
    })
    await expect(start()).rejects.toMatchObject(refused('unit.busy'))
    await expect(remove()).rejects.toMatchObject(refused('unit.busy'))
    await change(second)
    await until(() => unit.newest('wanted')?.state.transmission?.channelId === second)
    follow()
    await until(() => fleet.core.channels.known(first)?.allocatedToUnitUid === null)
    expect(fleet.core.channels.known(second)?.allocatedToUnitUid).toBe(unit.id)
    await stop()
    await until(() => unit.newest('wanted')?.state.transmission === null)
    follow()
    await until(
      () => values()?.command?.name === 'stop_streaming' && values()?.command?.state === 'confirmed',
    )
    await expect(stop()).rejects.toMatchObject(refused('transmission.notRunning'))
    server.socket.close()
    await until(() => fleet.core.channels.known(second)?.status === 'offline')
    await expect(start()).rejects.toMatchObject(refused('channel.busyOrOffline'))
    await remove()
    await select(first)
    const reed = await fleet.signedIn('reed')
    await expect(reed.call(calls.start, { params: params() })).rejects.toMatchObject({ status: 403 })
  })

  it('[P2P-002] keep no destination at the next customer', async () => {
    await create(first)
    const root = await fleet.signedIn('root')
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: unit.id } })
    await expect(one(root)).rejects.toMatchObject(refused('p2p.notFound', 404))
  })

  it('[P2P-003] are in the groups of their customer that were selected for them', async () => {
    const groups = () => nora.call(calls.groups, { params: params() })
    const selected = (by = olivia) => by.call(calls.selectedGroups, { params: params() })
    const set = (...uids: string[]) =>
      nora.call(calls.setGroups, { params: params(), body: { groups: uids } })
    await expect(groups()).rejects.toMatchObject(refused('p2p.notFound', 404))
    await create(first)
    expect((await groups()).map(({ uid }) => uid).toSorted()).toEqual(['leeds', 'london'])
    expect((await selected()).map(({ uid }) => uid)).toEqual(['london'])
    expect((await set('london', 'leeds')).map(({ uid }) => uid).toSorted()).toEqual(['leeds', 'london'])
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length === 2)
    // Each sees those in their scope.
    expect((await selected()).map(({ uid }) => uid)).toEqual(['london'])
    expect((await selected(nora)).map(({ uid }) => uid).toSorted()).toEqual(['leeds', 'london'])
    for (const foreign of ['cairo', 'none'])
      await expect(set(foreign)).rejects.toMatchObject(refused('group.notFound', 404))
    await set('leeds')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).join() === 'leeds')
    await expect(selected()).rejects.toMatchObject({ status: 404 })
    await expect(
      olivia.call(calls.setGroups, { params: params(), body: { groups: [] } }),
    ).rejects.toMatchObject({ status: 403 })
  })
})
