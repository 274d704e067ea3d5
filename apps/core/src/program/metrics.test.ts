import { api } from '@backhaul/contract/api/api'
import { type MetricsDoor, serveMetrics } from '@backhaul/runtime/metrics-door'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../testing/fleet.ts'
import { until } from '../testing/wait.ts'

describe.each(enginesOfNight)('the figures of the trade on %s', (engine) => {
  let fleet: TestFleet
  let door: MetricsDoor
  let hub: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    door = await serveMetrics(fleet.core.metrics, '127.0.0.1', 0)
    hub = await fleet.server('MCR', 2)
  })
  afterEach(async () => {
    await door.close()
    await fleet.remove()
  })

  /** The metrics with these names, as Prometheus reads them. */
  async function read(...names: string[]): Promise<Record<string, number>> {
    const text = await (await fetch(door.url)).text()
    const lines = text.split('\n').flatMap((line) => {
      const [, series = '', name = '', value] = /^backhaul_core_((\w+)\S*) (\S+)$/.exec(line) ?? []
      return names.includes(name) ? [[series, Number(value)] as const] : []
    })
    return Object.fromEntries(lines)
  }

  it('count units by status, those that are live, what they send and what they lose', async () => {
    const names = ['units', 'units_known', 'units_live', 'units_sent_bits_per_second', 'units_loss_ratio']
    const [unit, other] = [await fleet.unit('LIVE'), await fleet.unit('GONE')]
    other.socket.terminate()
    await until(() => fleet.core.units.values(other.id)?.status === 'offline')
    expect(await read(...names)).toEqual({
      'units{status="idle"}': 1,
      'units{status="offline"}': 1,
      units_known: 2,
      units_live: 0,
      units_sent_bits_per_second: 0,
      units_loss_ratio: 0,
    })
    await (await fleet.signedIn('olivia')).call(api.unitCommands.start, {
      params: { id: unit.id },
      body: { channel: hub.channelIds[0] },
    })
    const { state } = await unit.next('wanted', (message) => message.state.transmission !== null)
    const transmissionId = state.transmission?.id ?? null
    unit.report({ state: 'streaming', transmissionId, applications: { video: { state: 'streaming' } } })
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    await until(() => fleet.core.units.values(unit.id)?.uplink?.kbps === 3000)
    const { 'units{status="streaming"}': streaming, ...live } = await read(...names)
    expect(streaming).toBe(1)
    expect(live).toMatchObject({
      units_live: 1,
      units_sent_bits_per_second: 3_000_000,
      units_loss_ratio: 0.01,
    })
  })

  it('count channels by status, and what each server receives, repairs and loses', async () => {
    const names = [
      'channels',
      'server_channels_collecting',
      'server_received_bits_per_second',
      'server_packets_recovered',
      'server_packets_lost',
    ]
    const [first = '', second = ''] = hub.channelIds
    hub.telemetry([
      { channelId: first, status: 'collecting', kbps: 4100, recovered: 12, uncorrected: 3 },
      { channelId: second, status: 'idle' },
    ])
    await until(() => fleet.core.channels.known(first)?.status === 'collecting')
    expect(await read(...names)).toEqual({
      'channels{status="collecting"}': 1,
      'channels{status="idle"}': 1,
      'server_channels_collecting{server="MCR"}': 1,
      'server_received_bits_per_second{server="MCR"}': 4_100_000,
      'server_packets_recovered{server="MCR"}': 12,
      'server_packets_lost{server="MCR"}': 3,
    })
    hub.socket.terminate()
    await until(() => fleet.core.channels.known(first)?.status === 'offline')
    expect(await read(...names)).toEqual({ 'channels{status="offline"}': 2 })
  })

  it('count the active alerts, by severity', async () => {
    const [low, empty] = [await fleet.unit('LOW'), await fleet.unit('EMPTY')]
    expect(await read('alerts')).toEqual({})
    const battery = (percentage: number, charging = false) =>
      sampleOf(fleet.clock.nowMs(), { battery: { connected: true, charging, percentage } })
    const alertsOf = ({ id }: TestDevice) => fleet.core.units.values(id)?.alerts.length
    low.send({ type: 'telemetry', samples: [battery(18)] })
    empty.send({ type: 'telemetry', samples: [battery(7)] })
    await until(() => alertsOf(low) === 1 && alertsOf(empty) === 1)
    expect(await read('alerts')).toEqual({
      'alerts{severity="critical"}': 1,
      'alerts{severity="warning"}': 1,
    })
    empty.send({ type: 'telemetry', samples: [battery(70, true)] })
    await until(() => alertsOf(empty) === 0)
    expect(await read('alerts')).toEqual({ 'alerts{severity="warning"}': 1 })
  })

  it('are given to GET /metrics only', async () => {
    const origin = new URL(door.url).origin
    expect((await fetch(`${origin}/`)).status).toBe(404)
    expect((await fetch(door.url, { method: 'POST' })).status).toBe(404)
    expect((await fetch(door.url)).headers.get('content-type')).toContain('version=0.0.4')
  })
})
