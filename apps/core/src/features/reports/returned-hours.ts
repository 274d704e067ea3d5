// Hours of video return beside those of transmissions, row by row. Pure.
import type { UsageRow } from '@backhaul/contract/nouns/reports'

/** What was returned to a unit, over a channel or by a person; on a day. */
export type ReturnedHours = Pick<UsageRow, 'id' | 'name' | 'videoReturnMs'>

/** Who only had a return gets a row of his own. */
export function withReturned(rows: readonly UsageRow[], returned: readonly ReturnedHours[]): UsageRow[] {
  const hours = new Map(returned.map((one) => [one.id, one]))
  const known = rows.map((row) => {
    const { videoReturnMs = 0 } = hours.get(row.id) ?? {}
    hours.delete(row.id)
    return { ...row, videoReturnMs }
  })
  const others = [...hours.values()].map((one) => ({ ...emptyRow, ...one }))
  return [...known, ...others]
}

const emptyRow = { streamingMs: 0, dataBytes: null, transmissions: 0, running: 0 }
