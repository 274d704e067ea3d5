// Usage reports: hours, data and files of a customer in a period, by unit, channel, user or day.
import type { UsageBy, UsageQuery, UsageReport, UsageRow } from '@backhaul/contract/nouns/reports'
import { daysOf } from '@backhaul/contract/nouns/time-zones'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import { createDataMeter } from './data-meter.ts'
import { dayRows, filesByDay } from './day-rows.ts'
import { withExtraUsage } from './extra-usage.ts'
import * as table from './usage-table.ts'

export interface Reports {
  /** Throws NotFound for an inventory outside the caller's scope. */
  usage(scope: Scope, inventoryId: string, query: UsageQuery): Promise<UsageReport>
  /** The data sent by each unit of an inventory in a period, without a check of the caller's scope. */
  byUnit(inventoryId: string, fromMs: number, toMs: number): Promise<UsageRow[]>
  start(): void
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

export function createReports(needs: Needs): Reports {
  const { db, clock, inventories } = needs
  const meter = createDataMeter(needs)

  async function byDay(period: Parameters<typeof table.runsIn>[1], timeZone: string): Promise<UsageRow[]> {
    const days = daysOf(period.fromMs, period.toMs, timeZone)
    const [runs, slices] = [await table.runsIn(db, period), await table.slicesIn(db, period)]
    const returns = await table.runsIn(db, period, 'video_returns')
    const returned = dayRows(days, returns, [], period.nowMs)
    const rows = withExtraUsage(
      dayRows(days, runs, slices, period.nowMs),
      returned.map(({ id, name, streamingMs: videoReturnMs }) => ({ id, name, videoReturnMs })),
    )
    return withExtraUsage(rows, filesByDay(days, await table.filesIn(db, period)))
  }

  async function rowsBy(by: Exclude<UsageBy, 'day'>, period: Parameters<typeof table.runsIn>[1]) {
    const rows = withExtraUsage(await table.usageBy(db, by, period), await table.returnedBy(db, by, period))
    return withExtraUsage(rows, await table.filesBy(db, by, period))
  }

  return {
    async usage(scope, inventoryId, { from, to, by, timeZone }) {
      const { id, name } = await inventories.get(scope, inventoryId)
      const [fromMs, toMs, nowMs] = [Date.parse(from), Date.parse(to), clock.nowMs()]
      await meter.write()
      const period = { inventoryId: id, fromMs, toMs, nowMs }
      const items = by === 'day' ? await byDay(period, timeZone) : await rowsBy(by, period)
      const measured = items.flatMap(({ dataBytes }) => dataBytes ?? [])
      return {
        inventory: { id, name },
        from: isoTime(fromMs),
        to: isoTime(toMs),
        countedUntil: isoTime(Math.min(nowMs, toMs)),
        by,
        timeZone,
        items: items.sort((a, b) => b.streamingMs - a.streamingMs || (a.id ?? '').localeCompare(b.id ?? '')),
        total: {
          streamingMs: items.reduce((sum, { streamingMs }) => sum + streamingMs, 0),
          videoReturnMs: items.reduce((sum, { videoReturnMs }) => sum + videoReturnMs, 0),
          storeAndForwardFiles: items.reduce((sum, row) => sum + row.storeAndForwardFiles, 0),
          dataBytes: measured.length === 0 ? null : measured.reduce((sum, bytes) => sum + bytes, 0),
        },
      }
    },
    async byUnit(inventoryId, fromMs, toMs) {
      await meter.write()
      return await table.usageBy(db, 'unit', { inventoryId, fromMs, toMs, nowMs: clock.nowMs() })
    },
    start: meter.start,
    stop: meter.stop,
  }
}
