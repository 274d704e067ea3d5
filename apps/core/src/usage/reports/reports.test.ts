// Usage reports, from transmissions that ran and from some that are inserted into the database.
import { api } from '@backhaul/contract/api/api'
import type { UsageQuery, UsageReport } from '@backhaul/contract/nouns/reports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const hourMs = 3_600_000
const at = (text: string) => Date.parse(`2026-11-${text}Z`)

describe.each(engines)('usage reports on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  let hub: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    unit = await fleet.unit('VAN-1')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  async function ran(id: string, liveMs: number | null, stoppedMs: number | null, more: object = {}) {
    await fleet.db
      .insertInto('transmissions')
      .values({
        id,
        unit_id: unit.id,
        channel_id: hub.channelIds[0] ?? null,
        group_id: null,
        inventory_id: 'north',
        delay_ms: 1000,
        started_by: 'olivia',
        stopped_by: null,
        stop_reason: null,
        details: '{}',
        live_ms: liveMs,
        stopped_ms: stoppedMs,
        started_ms: (liveMs ?? at('10T08:00:00')) - 5000,
        ...more,
      })
      .execute()
  }

  const report = (query: Partial<UsageQuery> = {}, id = 'north'): Promise<UsageReport> =>
    nora.call(api.reports.usage, {
      params: { id },
      query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', ...query },
    })
  const hours = ({ items }: UsageReport) =>
    items.map(({ id, streamingMs, transmissions }) => [id, streamingMs / hourMs, transmissions])

  it('[INV-009] adds up hours by unit, channel and user, and counts only what is within the period', async () => {
    const other = await fleet.unit('VAN-2')
    await ran('a', at('10T09:00:00'), at('10T11:00:00'))
    await ran('b', at('10T23:00:00'), at('11T01:30:00'), { unit_id: other.id, started_by: 'nora' })
    await ran('c', at('12T10:00:00'), at('12T11:00:00'), { channel_id: hub.channelIds[1] ?? null })
    await ran('no picture', null, at('10T08:30:00'))
    await ran('of another customer', at('10T09:00:00'), at('10T11:00:00'), { inventory_id: 'south' })
    expect(hours(await report())).toEqual([
      [unit.id, 3, 3],
      [other.id, 2.5, 1],
    ])
    const byChannel = await report({ by: 'channel' })
    expect(hours(byChannel)).toEqual([
      [hub.channelIds[0], 4.5, 3],
      [hub.channelIds[1], 1, 1],
    ])
    expect(byChannel.items.map(({ name }) => name).toSorted()).toEqual(['MCR-1', 'MCR-2'])
    const byUser = await report({ by: 'user' })
    expect(byUser.items.map(({ id, name, streamingMs }) => [id, name, streamingMs / hourMs])).toEqual([
      ['olivia', 'Olivia Tester', 3],
      ['nora', 'Nora Tester', 2.5],
    ])
    expect(byUser.total).toEqual({
      streamingMs: 5.5 * hourMs,
      dataBytes: null,
      videoReturnMs: 0,
      storeAndForwardFiles: 0,
    })
    const cut = await report({ from: '2026-11-10T10:00:00Z', to: '2026-11-11T00:00:00Z' })
    expect(hours(cut).toSorted()).toEqual([other.id, unit.id].toSorted().map((id) => [id, 1, 1]))
    expect((await report({ from: '2026-11-20T00:00:00Z' })).items).toEqual([])
  })

  it('[INV-009] adds up hours of video return next to those of transmissions, by unit, channel, user and day', async () => {
    const other = await fleet.unit('VAN-2')
    const channelId = hub.channelIds[0] ?? ''
    await ran('a', at('10T09:00:00'), at('10T11:00:00'))
    async function returned(id: string, liveMs: number | null, stoppedMs: number, unitId: string) {
      await fleet.db
        .insertInto('video_returns')
        .values({
          id,
          unit_id: unitId,
          channel_id: channelId,
          inventory_id: 'north',
          started_by: 'nora',
          started_ms: (liveMs ?? stoppedMs) - 1000,
          live_ms: liveMs,
          stopped_ms: stoppedMs,
          stopped_by: null,
          stop_reason: null,
        })
        .execute()
    }
    await returned('r1', at('10T23:00:00'), at('11T02:00:00'), unit.id)
    await returned('r2', at('12T10:00:00'), at('12T10:30:00'), other.id)
    await returned('never shown', null, at('12T11:00:00'), other.id)
    const rows = async (query: Partial<UsageQuery> = {}) =>
      (await report(query)).items.map(({ id, streamingMs, videoReturnMs }) => [
        id,
        streamingMs / hourMs,
        videoReturnMs / hourMs,
      ])
    expect(await rows()).toEqual([
      [unit.id, 2, 3],
      [other.id, 0, 0.5],
    ])
    expect(await rows({ by: 'channel' })).toEqual([[channelId, 2, 3.5]])
    expect(await rows({ by: 'user' })).toEqual([
      ['olivia', 2, 0],
      ['nora', 0, 3.5],
    ])
    expect(await rows({ by: 'day' })).toEqual([
      ['2026-11-10', 2, 1],
      ['2026-11-11', 0, 2],
      ['2026-11-12', 0, 0.5],
    ])
    const cut = await report({ from: '2026-11-11T01:00:00Z' })
    expect(cut.total).toEqual({
      streamingMs: 0,
      dataBytes: null,
      videoReturnMs: 1.5 * hourMs,
      storeAndForwardFiles: 0,
    })
    expect(cut.items.find(({ id }) => id === other.id)).toMatchObject({ name: 'VAN-2', transmissions: 0 })
  })

  it('[INV-009] counts complete files next to hours, by unit, channel, user and day', async () => {
    const other = await fleet.unit('VAN-2')
    const channelId = hub.channelIds[0] ?? ''
    await ran('a', at('10T09:00:00'), at('10T11:00:00'))
    async function sent(id: string, endedMs: number, unitId: string, more: object = {}) {
      await fleet.db
        .insertInto('unit_uploads')
        .values({
          id,
          unit_id: unitId,
          channel_id: channelId,
          inventory_id: 'north',
          started_by: 'nora',
          path: '/media/One.mp4',
          file_name: 'One.mp4',
          size_bytes: 10,
          sent_bytes: 10,
          started_ms: endedMs - 1000,
          ended_ms: endedMs,
          reason: null,
          state: 'success',
          ...more,
        })
        .execute()
    }
    await sent('f1', at('10T23:00:00'), unit.id)
    await sent('f2', at('11T02:00:00'), unit.id)
    await sent('f3', at('12T10:00:00'), other.id, { started_by: 'olivia' })
    await sent('broke off', at('12T10:00:00'), other.id, { state: 'failed' })
    await sent('of another customer', at('12T10:00:00'), other.id, { inventory_id: 'south' })
    const rows = async (query: Partial<UsageQuery> = {}) =>
      (await report(query)).items.map(({ id, streamingMs, storeAndForwardFiles }) => [
        id,
        streamingMs / hourMs,
        storeAndForwardFiles,
      ])
    expect(await rows()).toEqual([
      [unit.id, 2, 2],
      [other.id, 0, 1],
    ])
    expect(await rows({ by: 'channel' })).toEqual([[channelId, 2, 3]])
    expect(await rows({ by: 'user' })).toEqual([
      ['olivia', 2, 1],
      ['nora', 0, 2],
    ])
    expect(await rows({ by: 'day' })).toEqual([
      ['2026-11-10', 2, 1],
      ['2026-11-11', 0, 1],
      ['2026-11-12', 0, 1],
    ])
    // The day after the last has begun where the clocks are ahead.
    expect(await rows({ by: 'day', timeZone: 'Asia/Kathmandu' })).toEqual([
      ['2026-11-10', 2, 0],
      ['2026-11-11', 0, 2],
      ['2026-11-12', 0, 1],
    ])
    const cut = await report({ from: '2026-11-11T02:00:00Z', to: '2026-11-12T10:00:00Z' })
    expect(cut.total).toMatchObject({ streamingMs: 0, storeAndForwardFiles: 1 })
  })

  it('counts what still runs until now, and shows until when it counted', async () => {
    const nowMs = fleet.clock.nowMs()
    await ran('now', nowMs - hourMs, null)
    const running = await report({ from: new Date(nowMs - 2 * hourMs).toISOString() })
    expect(running.items).toMatchObject([{ id: unit.id, streamingMs: hourMs, transmissions: 1, running: 1 }])
    expect(Date.parse(running.countedUntil)).toBe(nowMs)
    const over = await report({ to: '2026-11-02T00:00:00Z' })
    expect(over.countedUntil).toBe('2026-11-02T00:00:00.000Z')
  })

  it('divides the days at midnight of the requested time zone', async () => {
    await ran('night', at('10T22:00:00'), at('11T02:00:00'))
    const period = { from: '2026-11-09T00:00:00Z', to: '2026-11-13T00:00:00Z', by: 'day' as const }
    expect(hours(await report(period)).toSorted()).toEqual([
      ['2026-11-10', 2, 1],
      ['2026-11-11', 2, 1],
    ])
    expect(hours(await report({ ...period, timeZone: 'Asia/Kathmandu' }))).toEqual([['2026-11-11', 4, 1]])
    expect(hours(await report({ ...period, timeZone: 'America/New_York' }))).toEqual([['2026-11-10', 4, 1]])
  })

  it('has no row for a future day, also while a transmission runs', async () => {
    const nowMs = fleet.clock.nowMs()
    await ran('now', nowMs - hourMs, null)
    const today = new Date(nowMs).toISOString().slice(0, 10)
    const byDay = await report({ by: 'day' })
    expect(byDay.items).toMatchObject([{ id: today, streamingMs: hourMs, transmissions: 1, running: 1 }])
    expect(byDay.total).toEqual({
      streamingMs: hourMs,
      dataBytes: null,
      videoReturnMs: 0,
      storeAndForwardFiles: 0,
    })
  })

  it('counts the same hours and data as the usage profile of the unit', async () => {
    const olivia = await fleet.signedIn('olivia')
    const channelId = hub.channelIds[0] ?? ''
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).length > 0)
    await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    const { revision, state } = await unit.next('wanted', ({ state }) => state.transmission !== null)
    const transmissionId = state.transmission?.id ?? null
    const video = { applications: { video: { state: 'streaming' } }, state: 'streaming' }
    unit.report({ ...video, transmissionId, appliedRevision: revision })
    const sendFigures = () => {
      const nowMs = fleet.clock.nowMs()
      const samples = Array.from({ length: 10 }, (_, at) => sampleOf(nowMs - 9000 + at * 1000))
      unit.send({ type: 'telemetry', samples })
    }
    const sendMany = async (times: number) => {
      for (let sent = 0; sent < times; sent += 1) {
        sendFigures()
        await fleet.pass(10_000)
      }
    }
    await sendMany(2)
    hub.telemetry([{ channelId, status: 'collecting', transmissionId }])
    await fleet.pass(100)
    await sendMany(5)
    sendFigures()
    await fleet.pass(100)
    const [row] = (await report()).items
    await fleet.pass(60_000)
    const count = await fleet.db.selectFrom('usage_counts').selectAll().executeTakeFirst()
    // Nothing before the first picture, and from there on the same but for the newest sample.
    expect(row?.streamingMs).toBeGreaterThan(50_000)
    expect(row?.streamingMs).toBeLessThan(51_000)
    expect(Math.abs((row?.streamingMs ?? 0) - (count?.sending_ms ?? 0))).toBeLessThanOrEqual(1000)
    // Its links are modems of 1000 kbit/s there and 10 back; only what they send is in the report.
    expect(row?.dataBytes).toBeGreaterThan((80 * 3 * 1_000_000) / 8)
    expect(count?.bytes).toBe((row?.dataBytes ?? 0) * 1.01)
  })

  it('[INV-009] measures what a transmission sends by quarters of an hour, also over a restart', async () => {
    const olivia = await fleet.signedIn('olivia')
    const channel = hub.channelIds[0] ?? ''
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channel).length > 0)
    const idle = sampleOf(fleet.clock.nowMs() - 1000)
    unit.send({ type: 'telemetry', samples: [idle] })
    await until(() => fleet.core.units.values(unit.id)?.uplink?.kbps === 3000)
    await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel } })
    const samples = [0, 1000, 2000].map((later) => sampleOf(idle.ts + 1000 + later))
    unit.send({ type: 'telemetry', samples })
    await fleet.pass(200)
    // Three links of 1000 kbit/s for 3 s; what was sent before the start does not count.
    const bytes = (3 * 1000 * 3000) / 8
    const today = { from: '2026-11-18T00:00:00Z', to: '2026-11-19T00:00:00Z' }
    const { items, total } = await report(today)
    expect(items).toMatchObject([{ id: unit.id, streamingMs: 0, dataBytes: bytes, running: 1 }])
    expect(total.dataBytes).toBe(bytes)
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    await fleet.again(unit).then(async (device) => {
      await device.greet()
      device.send({ type: 'telemetry', samples: [sampleOf(idle.ts + 4000)] })
    })
    await fleet.pass(200)
    expect((await report(today)).total.dataBytes).toBe(bytes + (3 * 1000 * 1000) / 8)
    expect((await report({ ...today, by: 'channel' })).items).toMatchObject([{ id: channel, running: 1 }])
    expect((await report({ to: '2026-11-18T00:00:00Z' })).total.dataBytes).toBe(null)
  })

  it('refuses an invalid or too long period, an unknown time zone, and a customer out of scope', async () => {
    const fault = (field: string, message: string) => ({ code: 400, fields: [{ field, message }] })
    await expect(report({ to: '2026-11-01T00:00:00Z' })).rejects.toMatchObject(
      fault('to', 'The period must end after it begins.'),
    )
    await expect(report({ from: '2025-01-01T00:00:00Z' })).rejects.toMatchObject(
      fault('to', 'The period must not exceed 400 days.'),
    )
    await expect(report({ timeZone: 'Mars/Olympus' })).rejects.toMatchObject(
      fault('timeZone', 'Unknown time zone.'),
    )
    await expect(report({ from: 'yesterday' })).rejects.toMatchObject({ code: 400 })
    await expect(report({}, 'south')).rejects.toMatchObject({ code: 404, message: 'Inventory not found.' })
    const root = await fleet.signedIn('root')
    await expect(
      root.call(api.reports.usage, {
        params: { id: 'north' },
        query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
      }),
    ).rejects.toMatchObject({ code: 403, message: 'Not available for your user type' })
  })
})
