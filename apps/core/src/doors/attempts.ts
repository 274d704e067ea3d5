// The attempts that count against a limit, in the database: a restart of core, or another core, knows them too.
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/schema.ts'

/** For how long an attempt counts, in milliseconds. */
export const windowMs = 60_000

/** Those of the window that ends now, the oldest first. Times in the future are from before the clock was set back. */
export async function recentAttempts(
  db: Database,
  key: string,
  nowMs: number,
): Promise<{ id: string; at_ms: number }[]> {
  return await db
    .selectFrom('attempts')
    .select(['id', 'at_ms'])
    .where('key', '=', key)
    .where('at_ms', '>', nowMs - windowMs)
    .where('at_ms', '<=', nowMs)
    .orderBy('at_ms')
    .orderBy('id')
    .execute()
}

/** Records one attempt for each key, and drops those that count no more; gives the ids in the order of the keys. */
export async function recordAttempts(
  db: Database,
  keys: readonly string[],
  nowMs: number,
): Promise<string[]> {
  await db
    .deleteFrom('attempts')
    .where((eb) => eb.or([eb('at_ms', '<=', nowMs - windowMs), eb('at_ms', '>', nowMs)]))
    .execute()
  const rows = keys.map((key) => ({ id: randomUUID(), key, at_ms: nowMs }))
  await db.insertInto('attempts').values(rows).execute()
  return rows.map(({ id }) => id)
}

export async function forgetAttempts(db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('attempts').where('id', 'in', ids).execute()
}
