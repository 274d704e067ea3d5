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
  const reportTallies = (tallies: string[]) =>
    hub.send({
      type: 'serverTelemetry',
      ts: 1,
      channels: [],
      tallies,
      usage: { cpuPercent: 1, memoryPercent: 1, storagePercent: 1 },
    })

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
      message: `Tally 1 belongs to channel ${channelName}`,
    })
    await expect(give('nowhere', channel)).rejects.toMatchObject({ code: 404, message: 'Tally not found' })
    await expect(give(first.id, 'nowhere')).rejects.toMatchObject({ code: 404, message: 'Channel not found' })
    // The channel has one tally: another replaces the one before.
    await give(`${hub.id}:tally-2`, channel)
    expect(await shown()).toMatchObject({ tallyName: 'Tally 2', tally: { onAir: false } })
    expect((await tallies())[0]).toMatchObject({ channel: null })
    reportTallies(['tally-2'])
    await until(() => fleet.core.channels.known(channel)?.tally.onAir === true)
    expect(await give(`${hub.id}:tally-2`, null)).toMatchObject({ channel: null })
    expect(await shown()).toMatchObject({ tallyName: null, tally: { onAir: false } })
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
})
