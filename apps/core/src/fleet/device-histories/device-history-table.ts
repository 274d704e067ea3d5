import type { DeviceHistory, HistoryAction, HistoryKind } from '@backhaul/contract/nouns/device-histories'
import type { DeviceHistoryRow } from '../../database/access-schema.ts'
import { contains, insertMany } from '../../database/dialect.ts'
import { countOf, type Window } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export interface HistoryQuery extends Window {
  search: string
  action?: HistoryAction | undefined
}

export const insertHistories = (db: Queries, rows: readonly DeviceHistoryRow[]): Promise<void> =>
  insertMany(db, 'device_histories', rows)

/** The last name of a device or a target that is gone. */
export async function lastName(
  db: Queries,
  what: 'device' | 'target',
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('device_histories')
    .select(`${what}_name as name`)
    .where(`${what}_id`, '=', id)
    .orderBy('at_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.name
}

/** A device that registers joins its groups before it is in memory; of one that is gone the last name is known. */
export async function nameOfDevice(db: Queries, id: string): Promise<string> {
  const row = await db.selectFrom('devices').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? (await lastName(db, 'device', id)) ?? id
}

export async function historyPage(
  db: Queries,
  kind: HistoryKind,
  { search, action, limit, offset }: HistoryQuery,
): Promise<{ items: DeviceHistory[]; total: number }> {
  const text = search.trim()
  let rows = db.selectFrom('device_histories').where('kind', '=', kind)
  if (action !== undefined) rows = rows.where('action', '=', action)
  if (text !== '')
    rows = rows.where((eb) =>
      eb.or([
        eb(contains(db, eb.ref('device_name'), text), '=', eb.val(true)),
        eb(contains(db, eb.ref('target_name'), text), '=', eb.val(true)),
        eb(contains(db, eb.fn.coalesce('made_by', eb.val('')), text), '=', eb.val(true)),
      ]),
    )
  const total = await countOf(rows)
  const found = await rows
    .selectAll()
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const items = found.map((row) => ({
    id: row.id,
    device: row.device_id,
    deviceName: row.device_name,
    target: row.target_id,
    targetName: row.target_name,
    action: row.action as HistoryAction,
    by: row.made_by,
    at: new Date(Number(row.at_ms)).toISOString(),
  }))
  return { items, total }
}
