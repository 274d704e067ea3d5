import { type FileUpload, UPLOADS_KEPT, UploadState } from '@backhaul/contract/nouns/unit-files'
import type { UnitUploadRow } from '../../database/file-schema.ts'
import type { Queries } from '../../database/schema.ts'

export async function insertUploads(
  db: Queries,
  uploads: readonly FileUpload[],
  of: { unitId: string; inventoryId: string },
): Promise<void> {
  const rows = uploads.map((upload) => ({
    id: upload.id,
    unit_id: of.unitId,
    channel_id: upload.channelId,
    inventory_id: of.inventoryId,
    path: upload.path,
    file_name: upload.name,
    state: upload.state,
    size_bytes: upload.sizeBytes,
    sent_bytes: upload.sentBytes,
    started_by: upload.by,
    started_ms: upload.startedAt,
    ended_ms: upload.endedAt,
    reason: upload.reason,
  }))
  await db.insertInto('unit_uploads').values(rows).execute()
}

export async function endUpload(db: Queries, upload: FileUpload): Promise<void> {
  const { id, state, sizeBytes, sentBytes, endedAt, reason } = upload
  await db
    .updateTable('unit_uploads')
    .set({ state, size_bytes: sizeBytes, sent_bytes: sentBytes, ended_ms: endedAt, reason })
    .where('id', '=', id)
    .execute()
}

/** What was on its way when core stopped does not arrive any more. */
export async function failOpen(db: Queries, nowMs: number, reason: string): Promise<void> {
  await db
    .updateTable('unit_uploads')
    .set({ state: 'failed', ended_ms: nowMs, reason })
    .where('state', 'in', ['pending', 'uploading'])
    .execute()
}

/** The newest of each unit, newest first. */
export async function newestUploads(db: Queries): Promise<Map<string, FileUpload[]>> {
  const rows = await db
    .selectFrom((query) =>
      query
        .selectFrom('unit_uploads')
        .selectAll()
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('unit_id').orderBy('started_ms', 'desc').orderBy('id', 'desc'))
            .as('place'),
        )
        .as('placed'),
    )
    .leftJoin('channels', 'channels.id', 'placed.channel_id')
    .selectAll('placed')
    .select('channels.name as channel_name')
    .where('place', '<=', UPLOADS_KEPT)
    .orderBy('placed.started_ms', 'desc')
    .orderBy('placed.id', 'desc')
    .execute()
  const found = new Map<string, FileUpload[]>()
  for (const row of rows) found.set(row.unit_id, [...(found.get(row.unit_id) ?? []), uploadOf(row)])
  return found
}

const uploadOf = (row: UnitUploadRow & { channel_name: string | null }): FileUpload => ({
  id: row.id,
  path: row.path,
  name: row.file_name,
  state: UploadState.parse(row.state),
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  sentBytes: Number(row.sent_bytes),
  channelId: row.channel_id ?? '',
  channelName: row.channel_name ?? '',
  by: row.started_by,
  startedAt: Number(row.started_ms),
  endedAt: row.ended_ms === null ? null : Number(row.ended_ms),
  reason: row.reason,
})
