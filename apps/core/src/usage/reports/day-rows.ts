// The days of a report: hours and data of each. Pure.
import type { UsageRow } from '@backhaul/contract/nouns/reports'
import type { Day } from '@backhaul/contract/nouns/time-zones'
import { type ExtraUsage, emptyRow } from './extra-usage.ts'

/** A transmission; `stoppedMs` is null while it runs, `liveMs` before its first picture. */
export interface Run {
  startedMs: number
  liveMs: number | null
  stoppedMs: number | null
}

/** Bytes of the quarter of an hour that begins then. */
export interface Slice {
  fromMs: number
  bytes: number
}

/** One row for each day on which something ran; days follow each other in their order. */
export function dayRows(
  days: readonly Day[],
  runs: Iterable<Run>,
  slices: Iterable<Slice>,
  nowMs: number,
): UsageRow[] {
  const rows = days.map(({ date }): UsageRow => ({ ...emptyRow, id: date, name: '' }))
  for (const { startedMs, liveMs, stoppedMs } of runs) {
    const endMs = stoppedMs ?? nowMs
    for (let at = Math.max(dayAt(days, startedMs), 0); at < days.length; at += 1) {
      const [day, row] = [days[at] as Day, rows[at] as UsageRow]
      if (day.fromMs >= endMs) break
      row.transmissions += 1
      if (stoppedMs === null) row.running += 1
      // A transmission without a first picture had nothing to view.
      if (liveMs !== null)
        row.streamingMs += Math.max(Math.min(endMs, day.toMs) - Math.max(liveMs, day.fromMs), 0)
    }
  }
  for (const { fromMs, bytes } of slices) {
    const row = rows[dayAt(days, fromMs)]
    if (row) row.dataBytes = (row.dataBytes ?? 0) + bytes
  }
  return rows.filter(({ transmissions, dataBytes }) => transmissions > 0 || dataBytes !== null)
}

/** The number of files that arrived on each day, for days with any. */
export function filesByDay(days: readonly Day[], arrivedMs: Iterable<number>): ExtraUsage[] {
  const counts = new Map<string, number>()
  for (const ms of arrivedMs) {
    const date = days[dayAt(days, ms)]?.date
    if (date !== undefined) counts.set(date, (counts.get(date) ?? 0) + 1)
  }
  return [...counts].map(([id, storeAndForwardFiles]) => ({ id, name: '', storeAndForwardFiles }))
}

/** The index of the day with this moment; -1 before the first, the last for all that is later. */
function dayAt(days: readonly Day[], ms: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((days[middle] as Day).fromMs <= ms) low = middle + 1
    else high = middle
  }
  return low - 1
}
