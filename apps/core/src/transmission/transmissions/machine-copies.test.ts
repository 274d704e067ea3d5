// Point-to-multipoint: the machines of a unit get its picture from the server of its channel, for as long as it is sent.
import { api } from '@backhaul/contract/api/api'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('point-to-multipoint machines on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let boss: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let channelId: string
  let machines: [string, string]
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    boss = await fleet.server('Boss150', 2)
    channelId = hub.channelIds[0] ?? ''
    machines = [boss.channelIds[0] ?? '', boss.channelIds[1] ?? '']
    unit = await fleet.unit('VAN')
    olivia = await fleet.signedIn('olivia')
    const { memberships } = fleet.core.devices
    await until(() => memberships.membersOf('channel', 'london').length === 4)
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    const root = await fleet.signedIn('root')
    for (const name of ['ptmp', 'multipointContributor'] as const)
      await root.call(api.inventories.setProperty, { params: { id: 'north', name }, body: { value: true } })
  })
  afterEach(() => fleet.remove())

  const select = (...ids: string[]) =>
    olivia.call(api.channels.updateMultipoint, {
      body: { uniqueID: unit.id, machines: ids.map((uid) => ({ uid })) },
    })
  const start = (to = channelId) =>
    olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: to } })
  const stop = () => olivia.call(api.unitCommands.stop, { params: { id: unit.id } })
  const channelOf = (state: ServerWanted | undefined, id: string) =>
    state?.channels.find((channel) => channel.channelId === id)
  const copies = (from = channelId) => channelOf(hub.newest('serverWanted')?.state, from)?.copies ?? []
  const intakeOf = (machine: string) => channelOf(boss.newest('serverWanted')?.state, machine)?.intake ?? null
  const holders = () => machines.map((id) => fleet.core.channels.known(id)?.allocatedToUnitUid ?? null)
  const isCopiedTo = (...ids: string[]) =>
    copies()
      .map((copy) => copy.channelId)
      .toSorted()
      .join() === ids.toSorted().join()
  /** The unit does what is wanted of it. */
  function follow(): void {
    const wanted = unit.newest('wanted')
    const transmission = wanted?.state.transmission ?? null
    unit.report({
      transmissionId: transmission?.id ?? null,
      applications: transmission ? { video: { state: 'streaming' } } : {},
      appliedRevision: wanted?.revision ?? 0,
    })
  }

  it('[STREAM-006] a selected machine is sent the picture from the start on, with the key that it admits', async () => {
    await select(machines[0])
    await start()
    await until(() => isCopiedTo(machines[0]) && intakeOf(machines[0]) !== null)
    const [copy] = copies()
    const transmission = unit.newest('wanted')?.state.transmission
    expect(intakeOf(machines[0])).toMatchObject({
      transmissionId: transmission?.id,
      unitId: unit.id,
      key: copy?.key,
    })
    expect(copy?.key).not.toBe(transmission?.key)
    expect(copy?.targets).toEqual(fleet.core.channels.targets(machines[0]))
    expect(holders()).toEqual([unit.id, null])
    expect(transmission?.channelId).toBe(channelId)

    // While it is live one is added, and the first removed.
    await select(...machines)
    await until(() => isCopiedTo(...machines))
    expect(copies().find((one) => one.channelId === machines[0])).toEqual(copy)
    await select(machines[1])
    await until(() => isCopiedTo(machines[1]) && intakeOf(machines[0]) === null)
    expect(holders()).toEqual([null, unit.id])

    await stop()
    await until(() => isCopiedTo() && intakeOf(machines[1]) === null)
    expect(holders()).toEqual([null, null])
  })

  it('a machine that another unit holds is left to it, and follows once it is free', async () => {
    const other = await fleet.unit('OTHER')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', other.id).length > 0)
    await olivia.call(api.unitCommands.start, { params: { id: other.id }, body: { channel: machines[0] } })
    await select(machines[0])
    await start()
    expect(holders()).toEqual([other.id, null])
    expect(copies()).toEqual([])
    await olivia.call(api.unitCommands.stop, { params: { id: other.id } })
    boss.telemetry([{ channelId: machines[0], status: 'collecting' }])
    await until(() => fleet.core.channels.known(machines[0])?.status === 'collecting')
    boss.telemetry([{ channelId: machines[0], status: 'idle' }])
    await until(() => isCopiedTo(machines[0]))
    expect(holders()).toEqual([unit.id, null])
  })

  it('the copies move with the picture to another channel, and end with their unit', async () => {
    const next = hub.channelIds[1] ?? ''
    await select(machines[0])
    await start()
    await until(() => isCopiedTo(machines[0]))
    follow()
    await until(() => fleet.core.units.values(unit.id)?.idle === false)
    await olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName: next },
    })
    await until(() => unit.newest('wanted')?.state.transmission?.channelId === next)
    follow()
    boss.telemetry([{ channelId: machines[0], status: 'collecting' }])
    boss.telemetry([{ channelId: machines[0], status: 'idle' }])
    await until(() => copies(next).length === 1 && copies().length === 0)
    expect(holders()).toEqual([unit.id, null])
    await stop()
    await until(() => copies(next).length === 0)
    await until(() => holders().every((holder) => holder === null))
  })

  it('a server that comes back at another address gets the picture there', async () => {
    await select(machines[0])
    await start()
    await until(() => isCopiedTo(machines[0]))
    const [before] = copies()
    boss.report({ addresses: ['192.0.2.77'] })
    boss.telemetry([{ channelId: machines[0], status: 'connecting' }])
    await until(() => copies()[0]?.targets[0]?.host === '192.0.2.77')
    expect(copies()[0]).toEqual({ ...before, targets: fleet.core.channels.targets(machines[0]) })
  })

  it('a transmission to a machine itself is copied to the others alone', async () => {
    await select(...machines)
    await start(machines[0])
    await until(() => channelOf(boss.newest('serverWanted')?.state, machines[0])?.copies?.length === 1)
    expect(channelOf(boss.newest('serverWanted')?.state, machines[0])?.copies).toMatchObject([
      { channelId: machines[1] },
    ])
  })
})
