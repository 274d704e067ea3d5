import { type FileUpload, OPEN_UPLOADS, UPLOADS_KEPT, UploadState } from '@backhaul/contract/nouns/unit-files'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import type { UnitUploadRow } from '../../database/file-schema.ts'
import type { Queries } from '../../database/schema.ts'

/** The data of an upload that core stores in addition to what users see. */
export interface UploadProgress {
  readonly serverId: string
  /** The modification time of the file on the unit when the upload began. */
  readonly modifiedMs: number | null
  /** The time at which it was interrupted because an end was disconnected. */
  readonly waitingSinceMs: number | null
}

export interface KeptUpload {
  readonly upload: FileUpload
  /** Undefined once its server is deleted. */
  readonly progress: UploadProgress | undefined
}

export async function insertUploads(
  db: Queries,
  uploads: readonly FileUpload[],
  of: { unitId: string; inventoryId: string; serverId: string },
): Promise<void> {
  const rows = uploads.map((upload) => ({
    id: upload.id,
    unit_id: of.unitId,
    channel_id: upload.channelId,
    inventory_id: of.inventoryId,
    path: upload.path,
    metadata: upload.metadata && JSON.stringify(upload.metadata),
    file_name: upload.name,
    state: upload.state,
    size_bytes: upload.sizeBytes,
    sent_bytes: upload.sentBytes,
    started_by: upload.by,
    started_ms: upload.startedAt,
    ended_ms: upload.endedAt,
    reason: upload.reason,
    cause: causeColumn(upload.cause),
    server_id: of.serverId,
    modified_ms: null,
    waiting_since_ms: null,
  }))
  await db.insertInto('unit_uploads').values(rows).execute()
}

export async function saveUpload(
  db: Queries,
  upload: FileUpload,
  progress: UploadProgress | undefined,
): Promise<void> {
  const { id, state, sizeBytes, sentBytes, endedAt, reason, cause } = upload
  await db
    .updateTable('unit_uploads')
    .set({
      state,
      size_bytes: sizeBytes,
      sent_bytes: sentBytes,
      ended_ms: endedAt,
      reason,
      cause: causeColumn(cause),
      modified_ms: progress?.modifiedMs ?? null,
      waiting_since_ms: progress?.waitingSinceMs ?? null,
    })
    .where('id', '=', id)
    .execute()
}

/** The uploads of each unit that are not over and the newest of the others, newest first. */
export async function newestUploads(db: Queries): Promise<Map<string, KeptUpload[]>> {
  const rows = await db
    .selectFrom((query) =>
      query
        .selectFrom('unit_uploads')
        .selectAll()
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('unit_id')
                .orderBy(eb.case().when('state', 'in', OPEN_UPLOADS).then(0).else(1).end())
                .orderBy('started_ms', 'desc')
                .orderBy('id', 'desc'),
            )
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
  const found = new Map<string, KeptUpload[]>()
  for (const row of rows) {
    const kept = { upload: uploadOf(row), progress: progressOf(row) }
    found.set(row.unit_id, [...(found.get(row.unit_id) ?? []), kept])
  }
  return found
}

const numberOf = (value: number | null): number | null => (value === null ? null : Number(value))

function progressOf(row: UnitUploadRow): UploadProgress | undefined {
  if (row.server_id === null) return undefined
  return {
    serverId: row.server_id,
    modifiedMs: numberOf(row.modified_ms),
    waitingSinceMs: numberOf(row.waiting_since_ms),
  }
}

const uploadOf = (row: UnitUploadRow & { channel_name: string | null }): FileUpload => ({
  id: row.id,
  path: row.path,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  name: row.file_name,
  state: UploadState.parse(row.state),
  sizeBytes: numberOf(row.size_bytes),
  sentBytes: Number(row.sent_bytes),
  channelId: row.channel_id ?? '',
  channelName: row.channel_name ?? '',
  by: row.started_by,
  startedAt: Number(row.started_ms),
  endedAt: numberOf(row.ended_ms),
  reason: row.reason,
  ...causeOfColumn(row.cause),
})
