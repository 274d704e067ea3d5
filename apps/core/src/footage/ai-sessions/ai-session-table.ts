import { AI_MARKS_AT_MOST, type AiMark, type AiProvider, type AiSession } from '@backhaul/contract/nouns/ai'
import type { AiSessionRow } from '../../database/ai-schema.ts'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import type { Queries } from '../../database/schema.ts'

export async function insertSession(db: Queries, row: AiSessionRow): Promise<void> {
  await db.insertInto('ai_sessions').values(row).execute()
}

export async function openSessions(db: Queries): Promise<AiSessionRow[]> {
  return await db.selectFrom('ai_sessions').selectAll().where('ended_ms', 'is', null).execute()
}

export async function endSession(
  db: Queries,
  id: string,
  { nowMs, by }: { nowMs: number; by: string | null },
): Promise<void> {
  await db
    .updateTable('ai_sessions')
    .set({ ended_ms: nowMs, ended_by: by })
    .where('id', '=', id)
    .where('ended_ms', 'is', null)
    .execute()
}

/** The number of marks that the session has had so far. */
export async function lastTurn(db: Queries, sessionId: string): Promise<number> {
  const { turn } = await db
    .selectFrom('ai_marks')
    .where('session_id', '=', sessionId)
    .select((eb) => eb.fn.max<number | null>('turn').as('turn'))
    .executeTakeFirstOrThrow()
  return Number(turn ?? 0)
}

/** Appends marks; of too many the oldest are deleted. */
export async function addMarks(
  db: Queries,
  sessionId: string,
  before: number,
  marks: readonly AiMark[],
): Promise<void> {
  const rows = marks.map(({ ts, kind, text, cause }, at) => ({
    session_id: sessionId,
    turn: before + at + 1,
    ts_ms: Date.parse(ts),
    kind,
    text,
    cause: causeColumn(cause),
  }))
  await db.insertInto('ai_marks').values(rows).execute()
  await db
    .deleteFrom('ai_marks')
    .where('session_id', '=', sessionId)
    .where('turn', '<=', before + marks.length - AI_MARKS_AT_MOST)
    .execute()
}

/** Null where none began then or later. */
export async function newestSession(db: Queries, unitId: string, sinceMs: number): Promise<AiSession | null> {
  const row = await db
    .selectFrom('ai_sessions')
    .selectAll()
    .where('unit_id', '=', unitId)
    .where('started_ms', '>=', sinceMs)
    .orderBy('started_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const marks = await db
    .selectFrom('ai_marks')
    .selectAll()
    .where('session_id', '=', row.id)
    .orderBy('turn', 'desc')
    .execute()
  return {
    id: row.id,
    profileName: row.profile_name,
    provider: row.provider as AiProvider,
    startedBy: row.started_by,
    startedOn: isoTime(row.started_ms),
    endedOn: row.ended_ms === null ? null : isoTime(row.ended_ms),
    endedBy: row.ended_by,
    marks: marks.map(({ ts_ms, kind, text, cause }) => ({
      ts: isoTime(ts_ms),
      kind: kind as AiMark['kind'],
      text,
      ...causeOfColumn(cause),
    })),
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()
