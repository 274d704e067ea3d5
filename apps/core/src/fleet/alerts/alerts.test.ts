import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'

describe.each(enginesOfNight)('alerts on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  const battery = (percentage: number, charging = false) =>
    sampleOf(fleet.clock.nowMs(), { battery: { connected: true, charging, percentage } })

  it('are on the topics of unit and group, critical first, survive a restart, and clear', async () => {
    const [low, empty] = [await fleet.unit('LOW'), await fleet.unit('EMPTY')]
    for (const { id } of [low, empty])
      await until(() => fleet.core.devices.memberships.groupsOf('unit', id).length > 0)
    const active = async () => {
      const olivia = await fleet.signedIn('olivia')
      return await olivia.call(api.alerts.active, { query: { groupId: 'london' } })
    }
    const follower = await fleet.follow(await fleet.signedIn('olivia'), ['group.london', `unit.${low.id}`])
    empty.send({ type: 'telemetry', samples: [battery(7)] })
    await until(() => fleet.core.units.values(empty.id)?.alerts.length === 1)
    await fleet.clock.advanceAsync(1000)
    low.send({ type: 'telemetry', samples: [battery(18)] })
    await until(() => fleet.core.units.values(low.id)?.alerts.length === 1)
    const standing = await active()
    expect(standing).toMatchObject([
      { uid: empty.id, name: 'EMPTY', type: 'battery', severity: 'critical', value: 7 },
      { uid: low.id, name: 'LOW', type: 'battery', severity: 'warning', value: 18 },
    ])
    await fleet.pass(200)
    await follower.sees('group.london', { alerts: standing })
    await follower.sees(`unit.${low.id}`, { alerts: [standing[1]] })
    await fleet.restart()
    expect(await active()).toEqual(standing)
    const back = await fleet.again(low)
    await back.greet()
    back.send({ type: 'telemetry', samples: [battery(18, true)] })
    await until(() => fleet.core.units.values(low.id)?.alerts.length === 0)
    expect(await active()).toMatchObject([{ uid: empty.id }])
    const events = await (await fleet.signedIn('olivia')).call(api.units.events, {
      params: { id: low.id },
      query: {},
    })
    expect(events.filter(({ kind }) => kind === 'alert').map(({ text }) => text)).toEqual([
      'battery cleared',
      'battery warning',
    ])
  })

  it('of a server reach only the groups that it serves', async () => {
    const hub = await fleet.server('MCR')
    hub.send({
      type: 'serverTelemetry',
      ts: fleet.clock.nowMs(),
      usage: { cpuPercent: 97, memoryPercent: 1, storagePercent: 1 },
      channels: [],
    })
    await flushed(hub.socket)
    await fleet.pass(100)
    expect(fleet.core.devices.memberships.topicOf('london').values.alerts).toMatchObject([
      { uid: hub.id, type: 'serverCpu', value: 97 },
    ])
    const sam = await fleet.signedIn('sam')
    expect(await sam.call(api.alerts.active, { query: { groupId: 'cairo' } })).toEqual([])
    await expect(sam.call(api.alerts.active, { query: { groupId: 'london' } })).rejects.toMatchObject({
      status: 404,
    })
  })
})
