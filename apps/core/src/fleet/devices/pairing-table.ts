import { sql } from 'kysely'
import type { PairingCodeRow, Queries } from '../../database/schema.ts'

/** A code that one machine may register with; only its hash is kept. */
export interface PairingFacts {
  codeHash: string
  groupId: string
  expiresMs: number
  isUsed: boolean
}

export async function insertCode(
  db: Queries,
  code: { codeHash: string; groupId: string; userId: string; createdMs: number; expiresMs: number },
): Promise<void> {
  await db
    .insertInto('pairing_codes')
    .values({
      code_hash: code.codeHash,
      group_id: code.groupId,
      user_id: code.userId,
      created_ms: code.createdMs,
      expires_ms: code.expiresMs,
      used_by_device_id: null,
    })
    .execute()
}

export async function findCode(db: Queries, codeHash: string): Promise<PairingFacts | undefined> {
  const row = await db
    .selectFrom('pairing_codes')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return row && factsOf(row)
}

/** Answers false when another machine was faster. */
export async function useCode(db: Queries, codeHash: string, deviceId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pairing_codes')
    .set({ used_by_device_id: deviceId })
    .where('code_hash', '=', codeHash)
    .where('used_by_device_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

/** Codes made by a clock that was set back since get their full period from now on. */
export async function clampFutureCodes(db: Queries, nowMs: number): Promise<void> {
  const lastsMs = sql<number>`expires_ms - created_ms`
  await db
    .updateTable('pairing_codes')
    .set({ created_ms: nowMs, expires_ms: sql`${nowMs} + ${lastsMs}` })
    .where('created_ms', '>', nowMs)
    .execute()
}

export async function deleteCodesExpiredBefore(db: Queries, ms: number): Promise<void> {
  await db.deleteFrom('pairing_codes').where('expires_ms', '<', ms).execute()
}

function factsOf(row: PairingCodeRow): PairingFacts {
  return {
    codeHash: row.code_hash,
    groupId: row.group_id,
    expiresMs: row.expires_ms,
    isUsed: row.used_by_device_id !== null,
  }
}
