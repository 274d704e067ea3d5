// Failures of the database itself, not of a request: it cannot store anything more, or it does not answer.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './schema.ts'
import { DatabaseError } from './sqlite-thread.ts'

/**
 * 1. storage: nothing more can be written, most often because the disk is full; reads still work;
 * 2. away: the database does not answer.
 */
export type DatabaseFailure = 'storage' | 'away'

/** Primary result codes of SQLite: read-only, I/O error, full; busy, cannot open. */
const sqliteStorage = [8, 10, 13]
const sqliteAway = [5, 14]

/** PostgreSQL has codes of five characters, the system names, and pg itself only a message. */
const storageCodes = /^(53100|58030|25006|ENOSPC|EDQUOT|EROFS|EIO)$/
const awayCodes =
  /^(57P0[1-5]|08...|53[03]00|ECONN\w+|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOENT|EAI_AGAIN)$/
const awayWords =
  /^(Connection terminated|timeout|Client has encountered a connection error|driver has already)/

export function databaseFailureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = String((error as { code?: unknown }).code ?? '')
  if (error instanceof DatabaseError) {
    // The lower byte of an extended code is its primary one.
    const primary = Number(code) & 0xff
    if (sqliteStorage.includes(primary)) return 'storage'
    return sqliteAway.includes(primary) || code === 'busy' || code === 'closed' ? 'away' : undefined
  }
  if (storageCodes.test(code)) return 'storage'
  return isOfConnection(error, code) ? 'away' : undefined
}

/** A missing file of core itself is another error: a failed connection names its system call. */
function isOfConnection(error: Error, code: string): boolean {
  const isCall =
    !/^E/.test(code) ||
    /^(connect|read|write|getaddrinfo)$/.test(String((error as { syscall?: unknown }).syscall))
  return (awayCodes.test(code) && isCall) || awayWords.test(error.message)
}

/** The size of a usual change by a user. */
const fillerBytes = 16 * 1024

/** Writes a little and removes what was written before. Throws what the database throws. */
export async function tryToWrite(db: Database, nowMs: number): Promise<void> {
  const id = randomUUID()
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('write_checks')
      .values({ id, checked_ms: nowMs, filler: Buffer.alloc(fillerBytes, 1) })
      .execute()
    await transaction.deleteFrom('write_checks').where('id', '!=', id).execute()
  })
}

export const tryToRead = async (db: Database): Promise<void> => void (await sql`select 1`.execute(db))
