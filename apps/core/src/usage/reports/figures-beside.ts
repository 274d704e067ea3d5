// Figures that do not come from transmissions, row by row beside those that do. Pure.
import type { UsageRow } from '@backhaul/contract/nouns/reports'

/** What was returned to or forwarded by a unit, over a channel or by a person; on a day. */
export type FiguresBeside = Pick<UsageRow, 'id' | 'name'> &
  Partial<Pick<UsageRow, 'videoReturnMs' | 'storeAndForwardFiles'>>

/** Who never transmitted gets a row of their own. */
export function withBeside(rows: readonly UsageRow[], beside: readonly FiguresBeside[]): UsageRow[] {
  const figures = new Map(beside.map(({ name, ...one }) => [one.id, { name, one }]))
  const known = rows.map((row) => {
    const { one } = figures.get(row.id) ?? {}
    figures.delete(row.id)
    return { ...row, ...one }
  })
  const others = [...figures.values()].map(({ name, one }) => ({ ...emptyRow, name, ...one }))
  return [...known, ...others]
}

/** Of somebody for whom nothing is counted yet. */
export const emptyRow = {
  streamingMs: 0,
  dataBytes: null,
  videoReturnMs: 0,
  storeAndForwardFiles: 0,
  transmissions: 0,
  running: 0,
}
