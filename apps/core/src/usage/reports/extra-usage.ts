// Usage figures that do not come from transmissions, merged into the rows of those that do. Pure.
import type { UsageRow } from '@backhaul/contract/nouns/reports'

/** Video return and forwarded files of a unit, channel, user or day. */
export type ExtraUsage = Pick<UsageRow, 'id' | 'name'> &
  Partial<Pick<UsageRow, 'videoReturnMs' | 'storeAndForwardFiles'>>

/** An object without transmissions gets a row of its own. */
export function withExtraUsage(rows: readonly UsageRow[], extra: readonly ExtraUsage[]): UsageRow[] {
  const figures = new Map(extra.map(({ name, ...one }) => [one.id, { name, one }]))
  const known = rows.map((row) => {
    const { one } = figures.get(row.id) ?? {}
    figures.delete(row.id)
    return { ...row, ...one }
  })
  const others = [...figures.values()].map(({ name, one }) => ({ ...emptyRow, name, ...one }))
  return [...known, ...others]
}

/** A row for which nothing is counted yet. */
export const emptyRow = {
  streamingMs: 0,
  dataBytes: null,
  videoReturnMs: 0,
  storeAndForwardFiles: 0,
  transmissions: 0,
  running: 0,
}
