import { countOf } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export interface OpenReturn {
  id: string
  unitId: string
  channelId: string
  inventoryId: string
  startedMs: number
  startedBy: string
  liveMs: number | null
}

export async function insertReturn(db: Queries, one: OpenReturn): Promise<void> {
  await db
    .insertInto('video_returns')
    .values({
      id: one.id,
      unit_id: one.unitId,
      channel_id: one.channelId,
      inventory_id: one.inventoryId,
      started_ms: one.startedMs,
      started_by: one.startedBy,
      live_ms: null,
      stopped_ms: null,
      stopped_by: null,
      stop_reason: null,
    })
    .execute()
}

export async function saveLive(db: Queries, id: string, liveMs: number): Promise<void> {
  await db.updateTable('video_returns').set({ live_ms: liveMs }).where('id', '=', id).execute()
}

export async function endReturn(
  db: Queries,
  id: string,
  end: { atMs: number; by: string | null; reason: string },
): Promise<void> {
  await db
    .updateTable('video_returns')
    .set({ stopped_ms: end.atMs, stopped_by: end.by, stop_reason: end.reason })
    .where('id', '=', id)
    .where('stopped_ms', 'is', null)
    .execute()
}

export async function openReturns(db: Queries): Promise<OpenReturn[]> {
  const rows = await db.selectFrom('video_returns').selectAll().where('stopped_ms', 'is', null).execute()
  return rows.map((row) => ({
    id: row.id,
    unitId: row.unit_id,
    channelId: row.channel_id ?? '',
    inventoryId: row.inventory_id,
    startedMs: row.started_ms,
    startedBy: row.started_by,
    liveMs: row.live_ms,
  }))
}

/** Returns of the customer that run now. */
export async function countOpen(db: Queries, inventoryId: string): Promise<number> {
  const open = db.selectFrom('video_returns').where('stopped_ms', 'is', null)
  return await countOf(open.where('inventory_id', '=', inventoryId))
}
