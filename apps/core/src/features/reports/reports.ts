// Usage reports: hours and data of a customer's transmissions in a period, by unit, channel, user or day.
import type { UsageQuery, UsageReport, UsageRow } from '@backhaul/contract/nouns/reports'
import { daysOf } from '@backhaul/contract/nouns/time-zones'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Events } from '../../events.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { Units } from '../units/units.ts'
import { createDataMeter } from './data-meter.ts'
import { usageIn } from './usage-table.ts'

export interface Reports {
  /** Throws NotFound for an inventory that the caller may not know of. */
  usage(scope: Scope, inventoryId: string, query: UsageQuery): Promise<UsageReport>
  /** What each unit of an inventory sent in a period, without regard to who asks. */
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
  units: Units
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

export function createReports(needs: Needs): Reports {
  const { db, clock, inventories } = needs
  const meter = createDataMeter(needs)
  return {
    async usage(scope, inventoryId, { from, to, by, timeZone }) {
      const { id, name } = await inventories.get(scope, inventoryId)
      const [fromMs, toMs, nowMs] = [Date.parse(from), Date.parse(to), clock.nowMs()]
      await meter.write()
      const days = by === 'day' ? daysOf(fromMs, toMs, timeZone) : []
      const slots = by === 'day' ? days : [{ fromMs, toMs }]
      const rows = await usageIn(db, { inventoryId: id, by, slots, nowMs })
      const items =
        by === 'day'
          ? rows.map((row) => ({ ...row, id: days[Number(row.id)]?.date ?? null, name: '' }))
          : rows
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
          dataBytes: measured.length === 0 ? null : measured.reduce((sum, bytes) => sum + bytes, 0),
        },
      }
    },
    async byUnit(inventoryId, fromMs, toMs) {
      await meter.write()
      return await usageIn(db, { inventoryId, by: 'unit', slots: [{ fromMs, toMs }], nowMs: clock.nowMs() })
    },
    start: meter.start,
    stop: meter.stop,
  }
}
