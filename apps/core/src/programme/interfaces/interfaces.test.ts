import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { interfaces: calls, users, services } = contract

describe.each(enginesOfNight)('tallies and IFBs on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let nora: Browser
  let root: Browser
  const north = { id: 'north' }
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    hub.report({
      interfaces: [1, 2].flatMap((at) => [
        { id: `tally-${at}`, kind: 'tally' as const, name: `Tally ${at}` },
        { id: `ifb-${at}`, kind: 'ifb' as const, name: `IFB ${at}` },
      ]),
    })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.interfaces !== undefined)
  })
  afterAll(() => fleet.remove())

  const shown = async () =>
    (await nora.call(contract.channels.ofGroup, { query: { group: 'london' } })).find(
      ({ uniqueId }) => uniqueId === hub.channelIds[0],
    )
  const reportTallies = (on: string[]) => hub.send({ type: 'tallies', on })

  it('[ACCESS-010] [COMM-004] tallies are for users with the service, and show whether their channel is on air', async () => {
    const tallies = () => nora.call(calls.tallies, { params: north })
    const give = (tally: string, channel: string | null) =>
      nora.call(calls.associateTally, { params: north, body: { tally, channel } })
    const [channel = '', second = ''] = hub.channelIds
    for (const refused of [tallies, () => give(`${hub.id}:tally-1`, channel)])
      await expect(refused()).rejects.toMatchObject({
        code: 403,
        message: 'Not available for your user type',
      })
    const configuration = () => nora.call(contract.client.configuration, {})
    expect((await configuration()).userServices).toEqual([])
    await root.call(users.change, { params: { id: 'us-nora' }, body: { services: ['tally'] } })
    nora = await fleet.signedIn('nora')
    expect((await configuration()).userServices).toEqual(['tally'])
    const first = {
      id: `${hub.id}:tally-1`,
      name: 'Tally 1',
      serverId: hub.id,
      serverName: 'MCR',
      online: true,
      channel: null,
      channelName: null,
      onAir: false,
      supportedByUnit: false,
    }
    expect(await tallies()).toEqual([first, { ...first, id: `${hub.id}:tally-2`, name: 'Tally 2' }])
    const channelName = fleet.core.channels.known(channel)?.name ?? ''
    expect(await give(first.id, channel)).toEqual({ ...first, channel, channelName })
    expect(await shown()).toMatchObject({ tallyName: 'Tally 1', tally: { onAir: false } })
    reportTallies(['tally-1'])
    await until(() => fleet.core.channels.known(channel)?.tally.onAir === true)
    expect((await tallies()).map(({ onAir }) => onAir)).toEqual([true, false])
    await expect(give(first.id, second)).rejects.toMatchObject({
      code: 409,
      message: `Tally 1 belongs to channel ${channelName}.`,
    })
    await expect(give('nowhere', channel)).rejects.toMatchObject({ code: 404, message: 'Tally not found.' })
    await expect(give(first.id, 'nowhere')).rejects.toMatchObject({
      code: 404,
      message: 'Channel not found.',
    })
    // The channel has one tally: another replaces the one before.
    await give(`${hub.id}:tally-2`, channel)
    expect(await shown()).toMatchObject({ tallyName: 'Tally 2', tally: { onAir: false } })
    expect((await tallies())[0]).toMatchObject({ channel: null })
    reportTallies(['tally-2'])
    await until(() => fleet.core.channels.known(channel)?.tally.onAir === true)
    expect(await give(`${hub.id}:tally-2`, null)).toMatchObject({ channel: null })
    expect(await shown()).toMatchObject({ tallyName: null, tally: { onAir: false } })
  })

  it('[COMM-004] a unit is sent whether a channel that receives it is on air, while it has a light and core knows', async () => {
    const give = (tally: string, channel: string | null) =>
      nora.call(calls.associateTally, { params: north, body: { tally: `${hub.id}:${tally}`, channel } })
    const [first = '', second = ''] = hub.channelIds
    const olivia = await fleet.signedIn('olivia')
    const join = async (name: string) => {
      const unit = await fleet.unit(name)
      await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
      return unit
    }
    let van = await join('VAN')
    const dark = await join('DARK')
    const tallyOf = ({ id }: TestDevice) => fleet.core.units.values(id)?.tally
    const sent = ({ messages }: TestDevice) =>
      messages.flatMap((message) => (message.type === 'tally' ? [message.onAir] : []))
    const follow = (unit: TestDevice) => {
      const wanted = unit.newest('wanted')
      const transmission = wanted?.state.transmission ?? null
      unit.report({
        appliedRevision: wanted?.revision ?? 0,
        transmissionId: transmission?.id ?? null,
        applications: transmission ? { video: { state: 'streaming' } } : {},
      })
    }
    const start = async (unit: TestDevice, channel: string) => {
      await olivia.call(contract.unitCommands.start, { params: { id: unit.id }, body: { channel } })
      await until(() => unit.newest('wanted')?.state.transmission?.channelId === channel)
      follow(unit)
    }
    const stop = async (unit: TestDevice) => {
      await olivia.call(contract.unitCommands.stop, { params: { id: unit.id } })
      await until(() => unit.newest('wanted')?.state.transmission === null)
      follow(unit)
      await until(() => fleet.core.units.values(unit.id)?.idle === true)
    }
    reportTallies([])
    await give('tally-1', first)
    await give('tally-2', second)
    await start(van, first)
    await start(dark, second)
    expect(tallyOf(van)).toEqual({ onAir: false, supportedByUnit: false })
    van.report({ capabilities: { tally: true } })
    await until(() => sent(van).length === 1)
    expect(sent(van)).toEqual([false])
    expect(await shown()).toMatchObject({ tally: { onAir: false, supportedByUnit: true } })

    reportTallies(['tally-1', 'tally-2'])
    await until(() => sent(van).length === 2 && tallyOf(dark)?.onAir === true)
    expect(sent(van)).toEqual([false, true])
    expect(tallyOf(van)).toEqual({ onAir: true, supportedByUnit: true })
    expect(tallyOf(dark)).toEqual({ onAir: true, supportedByUnit: false })
    // Selecting a channel on air puts no unit on air: another one is on it.
    const guest = await join('GUEST')
    guest.report({ capabilities: { tally: true }, channelId: first })
    await until(() => sent(guest).length === 1)
    expect([sent(guest), tallyOf(guest)?.onAir]).toEqual([[false], false])

    // After a reconnection core sends it again, changed or not.
    van.socket.close()
    await until(() => fleet.core.units.values(van.id)?.offline === true)
    van = await fleet.again(van)
    await van.greet()
    van.report({ capabilities: { tally: true } })
    await until(() => sent(van).length === 1)
    expect(sent(van)).toEqual([true])
    await stop(van)
    await until(() => sent(van).at(-1) === false)
    expect(fleet.core.channels.known(first)?.tally.onAir).toBe(true)

    // Without its server a tally is unknown, and counts as off.
    await give('tally-1', null)
    await give('tally-2', null)
    await give('tally-2', first)
    await start(van, first)
    await until(() => sent(van).at(-1) === true)
    expect(sent(dark)).toEqual([])
    hub.socket.close()
    await until(() => sent(van).at(-1) === false)
    const { channelIds } = hub
    hub = Object.assign(await fleet.again(hub), { channelIds })
    await hub.greet()
    hub.report({ appliedRevision: 0 })
    reportTallies(['tally-2'])
    await until(() => sent(van).at(-1) === true)
    await give('tally-2', null)
    await until(() => sent(van).at(-1) === false)
    await stop(van)
    await stop(dark)
  })

  it('IFB interfaces are assigned to channels while the customer has the service, and freeze when it ends', async () => {
    const ifbs = () => nora.call(calls.ifbs, { params: north })
    const give = (ifb: string, channel: string | null) =>
      nora.call(calls.associateIfb, { params: north, body: { ifb, channel } })
    const counts = async () => [
      (await nora.call(calls.usedIfbs, { params: north })).count,
      (await nora.call(calls.frozenIfbs, { params: north })).count,
      (await nora.call(calls.availableIfbs, { params: north })).length,
    ]
    const [channel = ''] = hub.channelIds
    const ifb = `${hub.id}:ifb-1`
    await expect(give(ifb, channel)).rejects.toMatchObject({
      code: 409,
      message: 'Not available for your user type',
    })
    await root.call(services.add, { params: north, body: { name: 'audio_ifb' } })
    expect(await counts()).toEqual([0, 0, 2])
    expect(await give(ifb, channel)).toMatchObject({ channel, frozen: false })
    expect(await shown()).toMatchObject({ ifb: 'IFB 1' })
    expect(await counts()).toEqual([1, 0, 1])
    await root.call(services.remove, { params: north, query: { serviceName: 'audio_ifb' } })
    expect(await counts()).toEqual([1, 1, 1])
    expect((await ifbs()).map(({ frozen }) => frozen)).toEqual([true, false])
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(await shown()).toMatchObject({ ifb: 'IFB 1' })
    expect(await give(ifb, null)).toMatchObject({ channel: null, frozen: false })
    expect((await counts()).slice(0, 2)).toEqual([0, 0])
  })

  it('[COMM-004] a tally is switched by hand regardless of the mixer, over a restart, by users with the service', async () => {
    const [channel = ''] = hub.channelIds
    const light = (browser: Browser, onAir: boolean) =>
      browser.call(calls.lightTally, { params: { id: channel }, body: { onAir } })
    const olivia = await fleet.signedIn('olivia')
    await expect(light(olivia, true)).rejects.toMatchObject({
      code: 403,
      message: 'Not available for your user type',
    })
    expect(await light(nora, true)).toEqual({ accepted: true })
    reportTallies([])
    expect(await shown()).toMatchObject({ tallyByHand: true, tally: { onAir: true } })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    expect(await shown()).toMatchObject({ tallyByHand: true, tally: { onAir: true } })
    await light(nora, false)
    expect(await shown()).toMatchObject({ tallyByHand: false, tally: { onAir: false } })
    const params = { id: 'nowhere' }
    await expect(nora.call(calls.lightTally, { params, body: { onAir: true } })).rejects.toMatchObject({
      code: 404,
    })
  })
})
