import type { WireCause } from '@backhaul/contract/define/refusals'
import type { StoredFileKey } from '@backhaul/contract/gateway/servers'
import {
  SENDING_TRIES,
  SENDINGS_SHOWN,
  type SendingState,
  sendingPauseMs,
} from '@backhaul/contract/nouns/file-targets'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import type { FileSendingRow } from '../../database/file-schema.ts'
import type { Queries } from '../../database/schema.ts'
import type { Progress } from './transfer.ts'

export interface StoredSending {
  id: string
  targetId: string
  file: StoredFileKey
  state: SendingState
  sizeBytes: number
  sentBytes: number
  tries: number
  dueMs: number
  startedBy: string | null
  startedMs: number
  endedMs: number | null
  progress: Progress
  reason: string | null
  cause?: WireCause | undefined
}

const ofFile = (db: Queries, { channelId, unitId, fileName }: StoredFileKey) =>
  db
    .selectFrom('file_sendings')
    .where('channel_id', '=', channelId)
    .where('unit_id', '=', unitId)
    .where('file_name', '=', fileName)

/** The newest, newest first. */
export async function sendingsOfFile(db: Queries, file: StoredFileKey): Promise<StoredSending[]> {
  const rows = await ofFile(db, file)
    .selectAll()
    .orderBy('started_ms', 'desc')
    .orderBy('id')
    .limit(SENDINGS_SHOWN)
    .execute()
  return rows.map(storedOf)
}

export async function wasSent(db: Queries, file: StoredFileKey, targetId: string): Promise<boolean> {
  const row = await ofFile(db, file).select('id').where('target_id', '=', targetId).executeTakeFirst()
  return row !== undefined
}

export async function findSending(db: Queries, id: string): Promise<StoredSending | undefined> {
  const row = await db.selectFrom('file_sendings').selectAll().where('id', '=', id).executeTakeFirst()
  return row && storedOf(row)
}

/** The sendings that may be tried now, the oldest first. */
export async function dueSendings(db: Queries, nowMs: number): Promise<StoredSending[]> {
  const rows = await db
    .selectFrom('file_sendings')
    .selectAll()
    .where('state', '=', 'waiting')
    // A sending that is due later than the longest pause was postponed before the clock was set back.
    .where((is) =>
      is.or([is('due_ms', '<=', nowMs), is('due_ms', '>', nowMs + sendingPauseMs(SENDING_TRIES))]),
    )
    .orderBy('started_ms')
    .orderBy('id')
    .execute()
  return rows.map(storedOf)
}

export async function insertSending(db: Queries, sending: StoredSending): Promise<void> {
  const { id, targetId, file, state, sizeBytes, sentBytes, tries, dueMs, startedBy, startedMs } = sending
  await db
    .insertInto('file_sendings')
    .values({
      id,
      target_id: targetId,
      channel_id: file.channelId,
      unit_id: file.unitId,
      file_name: file.fileName,
      state,
      size_bytes: sizeBytes,
      sent_bytes: sentBytes,
      tries,
      due_ms: dueMs,
      started_by: startedBy,
      started_ms: startedMs,
      ended_ms: null,
      progress: null,
      reason: null,
      cause: null,
    })
    .execute()
}

type Changes = Partial<
  Pick<
    StoredSending,
    'state' | 'sizeBytes' | 'sentBytes' | 'tries' | 'dueMs' | 'endedMs' | 'progress' | 'reason' | 'cause'
  >
>

/** Nothing where it is no longer in one of these states. Answers whether it was. */
export async function changeSending(
  db: Queries,
  id: string,
  changes: Changes,
  from: readonly SendingState[] = ['waiting', 'sending'],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('file_sendings')
    .set({
      ...(changes.state !== undefined && { state: changes.state }),
      ...(changes.sizeBytes !== undefined && { size_bytes: changes.sizeBytes }),
      ...(changes.sentBytes !== undefined && { sent_bytes: changes.sentBytes }),
      ...(changes.tries !== undefined && { tries: changes.tries }),
      ...(changes.dueMs !== undefined && { due_ms: changes.dueMs }),
      ...(changes.endedMs !== undefined && { ended_ms: changes.endedMs }),
      ...(changes.progress !== undefined && { progress: JSON.stringify(changes.progress) }),
      ...('reason' in changes && { reason: changes.reason ?? null, cause: causeColumn(changes.cause) }),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Called at the start of core: what the ended one was sending waits again. */
export async function waitAgain(db: Queries): Promise<void> {
  await db.updateTable('file_sendings').set({ state: 'waiting' }).where('state', '=', 'sending').execute()
}

export async function moveSendings(db: Queries, from: StoredFileKey, to: StoredFileKey): Promise<void> {
  await db
    .updateTable('file_sendings')
    .set({ file_name: to.fileName })
    .where('channel_id', '=', from.channelId)
    .where('unit_id', '=', from.unitId)
    .where('file_name', '=', from.fileName)
    .execute()
}

/** Answers the ids of those of a file that no longer exists. */
export async function deleteSendings(
  db: Queries,
  { channelId, unitId, fileName }: StoredFileKey,
): Promise<string[]> {
  const rows = await db
    .deleteFrom('file_sendings')
    .where('channel_id', '=', channelId)
    .where('unit_id', '=', unitId)
    .where('file_name', '=', fileName)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

const storedOf = (row: FileSendingRow): StoredSending => ({
  id: row.id,
  targetId: row.target_id,
  file: { channelId: row.channel_id, unitId: row.unit_id, fileName: row.file_name },
  state: row.state as SendingState,
  sizeBytes: Number(row.size_bytes),
  sentBytes: Number(row.sent_bytes),
  tries: row.tries,
  dueMs: Number(row.due_ms),
  startedBy: row.started_by,
  startedMs: Number(row.started_ms),
  endedMs: row.ended_ms === null ? null : Number(row.ended_ms),
  progress: row.progress === null ? {} : (JSON.parse(row.progress) as Progress),
  reason: row.reason,
  ...causeOfColumn(row.cause),
})
