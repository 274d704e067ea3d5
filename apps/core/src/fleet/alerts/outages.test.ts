// Alerts about the bit rate of transmissions, as long as their cause lasts, through the doors.
import { api } from '@backhaul/contract/api/api'
import type { Alert } from '@backhaul/contract/nouns/alerts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const group = 'london'

describe.each(enginesOfNight)('alerts of an outage on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 1)
    olivia = await fleet.signedIn('olivia')
    const { memberships } = fleet.core.devices
    await until(() => memberships.groupsOf('channel', hub.channelIds[0] as string).length > 0)
  })
  afterEach(() => fleet.remove())

  const active = (): Promise<Alert[]> => olivia.call(api.alerts.active, { query: { groupId: group } })
  const params = (unit: TestDevice) => ({ params: { id: unit.id } })
  const topic = () => fleet.core.devices.memberships.topicOf(group)
  const video = (state: string) => ({ applications: { video: { state } } })

  async function newUnit(name: string): Promise<TestDevice> {
    const unit = await fleet.unit(name)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    return unit
  }

  /** Started by a user; the unit reports that it streams. */
  async function goLive(name: string): Promise<TestDevice> {
    const unit = await newUnit(name)
    await olivia.call(api.unitCommands.start, {
      ...params(unit),
      body: { channel: hub.channelIds[0] as string },
    })
    const { state, revision } = await unit.next('wanted', (wanted) => wanted.state.transmission !== null)
    const transmissionId = state.transmission?.id as string
    unit.report({ transmissionId, ...video('streaming'), appliedRevision: revision })
    await flushed(unit.socket)
    return unit
  }

  /** Sends the figures of one second, over as many links as carry something. */
  function sendFigures(unit: TestDevice, kbps: number): void {
    const { links, ...rest } = sampleOf(fleet.clock.nowMs())
    const each = links.map((link) => ({ ...link, up: kbps > 0, kbps: kbps / links.length }))
    unit.send({ type: 'telemetry', samples: [{ ...rest, links: each }] })
  }

  async function seconds(count: number, unit: TestDevice, kbps: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      await fleet.clock.advanceAsync(1000)
      sendFigures(unit, kbps)
      await flushed(unit.socket)
      await flushed(hub.socket)
    }
  }

  it('an outage of ten minutes is an alert of ten minutes, regardless of restarts meanwhile', async () => {
    const unit = await goLive('OUTAGE')
    await seconds(30, unit, 4000)
    expect(await active()).toEqual([])
    await seconds(1, unit, 0)
    const raised = await active()
    expect(raised).toMatchObject([{ uid: unit.id, type: 'bitrateDrop', severity: 'critical', value: 0 }])
    await seconds(298, unit, 0)
    expect(await active()).toEqual(raised)
    unit.socket.close()
    await until(() => fleet.core.units.values(unit.id)?.offline === true)
    expect(await active()).toEqual(raised)
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    hub = await fleet.again(hub)
    await hub.greet()
    expect(await active()).toEqual(raised)
    const back = await fleet.again(unit)
    await back.greet()
    back.report({ ...video('connecting') })
    await seconds(150, back, 0)
    back.report({ ...video('streaming') })
    await seconds(150, back, 1200)
    expect(await active()).toMatchObject([{ id: raised[0]?.id, since: raised[0]?.since, value: 1200 }])
    await seconds(1, back, 3900)
    expect(await active()).toEqual([])
    const events = await olivia.call(api.units.events, { ...params(unit), query: {} })
    expect(events.filter(({ kind }) => kind === 'alert').map(({ text }) => text)).toEqual([
      'bitrateDrop cleared',
      'bitrateDrop critical',
    ])
  })

  it('a unit that is live without data from the beginning is critical after five seconds', async () => {
    const unit = await goLive('NOTHING')
    await seconds(5, unit, 0)
    expect(await active()).toEqual([])
    await seconds(1, unit, 0)
    expect(await active()).toMatchObject([
      { uid: unit.id, type: 'bitrateDrop', severity: 'critical', value: 0 },
    ])
    await seconds(120, unit, 12)
    expect(await active()).toHaveLength(1)
    await seconds(1, unit, 900)
    expect(await active()).toEqual([])
  })

  it('stopping clears it, also of a unit that is offline; the falling rate raises none', async () => {
    const unit = await goLive('STOPPED')
    await seconds(20, unit, 4000)
    await olivia.call(api.unitCommands.stop, params(unit))
    await seconds(1, unit, 300)
    unit.report({ ...video('stopping') })
    await seconds(1, unit, 0)
    expect(await active()).toEqual([])
    unit.report({ applications: {}, transmissionId: null })
    await flushed(unit.socket)
    const away = await goLive('AWAY')
    await seconds(20, away, 4000)
    await seconds(1, away, 0)
    expect(await active()).toHaveLength(1)
    away.socket.close()
    await until(() => fleet.core.units.values(away.id)?.offline === true)
    expect(await active()).toHaveLength(1)
    await olivia.call(api.unitCommands.stop, params(away))
    expect(await active()).toEqual([])
  })

  it('many alerts are published once a tick, and none whose bit rate only varies', async () => {
    const units = await Promise.all(Array.from({ length: 12 }, (_, at) => newUnit(`MANY-${at}`)))
    for (const unit of units) unit.report(video('streaming'))
    const all = async (kbps: number) => {
      for (const unit of units) sendFigures(unit, kbps)
      await Promise.all(units.map(({ socket }) => flushed(socket)))
      await fleet.pass(1000)
    }
    for (let second = 0; second < 16; second++) await all(4000)
    const before = topic().seq
    await all(1000)
    expect(topic().values.alerts).toHaveLength(units.length)
    expect(topic().seq).toBe(before + 1)
    const revisions = () => [topic().seq, ...units.map(({ id }) => alertsOf(id))]
    const alertsOf = (id: string) => fleet.core.units.values(id)?.alerts
    const shown = revisions()
    for (const kbps of [1080, 940, 1010, 1120]) await all(kbps)
    // The same objects: nothing was compared.
    for (const [at, one] of revisions().entries()) expect(one).toBe(shown[at])
    await all(20)
    expect(topic().values.alerts.map(({ value }) => value)).toEqual(units.map(() => 20))
    expect(topic().seq).toBe(before + 2)
  })
})
