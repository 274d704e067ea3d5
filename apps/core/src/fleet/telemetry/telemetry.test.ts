import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import { KEPT_MS } from './telemetry.ts'

describe.each(engines)('the graph of a unit on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  async function graph(unitId: string, query = {}) {
    const olivia = await fleet.signedIn('olivia')
    return await olivia.call(api.units.graph, { params: { id: unitId }, query })
  }

  it('joins what is in memory and what is stored, before and after a restart', async () => {
    const unit = await fleet.unit('LON-01')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    for (let at = 0; at < 100; at++) {
      await fleet.clock.advanceAsync(1000)
      unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), { encoderKbps: 2000 + at })] })
      await flushed(unit.socket)
    }
    const before = await graph(unit.id)
    expect(before.length).toBeGreaterThanOrEqual(20)
    expect(before.length).toBeLessThanOrEqual(21)
    expect(before.at(-1)?.links).toEqual(
      [1, 2, 3].map((port) => ({ port, kbps: 1000, rttMs: 40 + port, lossPercent: 1 })),
    )
    const rates = before.map(({ encoderKbps }) => encoderKbps as number)
    expect(rates).toEqual([...rates].sort((a, b) => a - b))
    const stored = await fleet.db.selectFrom('series_chunks').select('unit_id').execute()
    expect(stored.length).toBeGreaterThan(0)
    await fleet.restart()
    expect(await graph(unit.id)).toEqual(before)
    const coarse = await graph(unit.id, { points: 10, intervalMs: 30_000 })
    expect(coarse.length).toBeGreaterThanOrEqual(3)
  })

  it('keeps the order of a unit with a wrong clock, not its time', async () => {
    const unit = await fleet.unit('LON-02')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    const wrong = fleet.clock.nowMs() - 3_600_000
    unit.send({ type: 'telemetry', samples: [1, 2, 3].map((at) => sampleOf(wrong + at * 1000)) })
    await until(() => fleet.core.units.values(unit.id)?.uplink != null)
    const points = await graph(unit.id)
    expect(points.length).toBeGreaterThan(0)
    for (const { ts } of points) expect(Math.abs(ts - fleet.clock.nowMs())).toBeLessThanOrEqual(10_000)
  })

  it.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
    'continues where the clock of core is set by %i ms',
    async (stepMs) => {
      const unit = await fleet.unit('LON-04')
      await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
      // The unit is an old one, and its clock is not set.
      const unitStartMs = fleet.clock.nowMs() - fleet.clock.monotonicMs()
      fleet.clock.stepWall(2 * 86_400_000)
      async function measure() {
        for (let at = 0; at < 40; at++) {
          await fleet.clock.advanceAsync(1000)
          const ts = unitStartMs + fleet.clock.monotonicMs()
          unit.send({ type: 'telemetry', samples: [sampleOf(ts, { encoderKbps: 2000 + at })] })
          await flushed(unit.socket)
        }
      }
      await measure()
      fleet.clock.stepWall(stepMs)
      await measure()
      const times = (await graph(unit.id)).map(({ ts }) => fleet.clock.nowMs() - ts)
      expect(times.filter((age) => age <= 40_000).length).toBeGreaterThanOrEqual(6)
      expect(Math.abs(times.at(-1) ?? Number.NaN)).toBeLessThanOrEqual(10_000)
      expect(times).toEqual(times.toSorted((one, other) => other - one))
    },
  )

  it('deletes seconds after 48 hours and 10 s after 30 days', async () => {
    const unit = await fleet.unit('LON-03')
    const chunk = (resolution_ms: number, ageMs: number) => ({
      unit_id: unit.id,
      resolution_ms,
      from_ms: fleet.clock.nowMs() - ageMs - 1000,
      to_ms: fleet.clock.nowMs() - ageMs,
      data: Buffer.from([0]),
    })
    const hour = 3_600_000
    const rows = [chunk(1000, KEPT_MS[1000] + hour), chunk(1000, KEPT_MS[1000] - hour)]
    rows.push(chunk(10_000, KEPT_MS[10_000] + hour), chunk(10_000, KEPT_MS[10_000] - hour))
    await fleet.db.insertInto('series_chunks').values(rows).execute()
    await fleet.clock.advanceAsync(600_000)
    const left = () =>
      fleet.db.selectFrom('series_chunks').select('resolution_ms').orderBy('resolution_ms').execute()
    await expect
      .poll(async () => (await left()).map(({ resolution_ms }) => resolution_ms))
      .toEqual([1000, 10_000])
  })
})
