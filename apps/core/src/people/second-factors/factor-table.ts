import type { SecondFactorRow } from '../../database/access-schema.ts'
import { countOf } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

export interface StoredFactor {
  id: string
  userId: string
  kind: 'totp' | 'passkey'
  name: string
  /** The sealed secret of an app, or the public key of a passkey. */
  secret: string
  credentialId: string | null
  transports: string[]
  /** The last time step that counted of an app, or the count of uses of a passkey. */
  counter: number
  createdMs: number
  lastUsedMs: number | null
}

export async function factorsOf(db: Queries, userId: string): Promise<StoredFactor[]> {
  const rows = await db
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(factorOf)
}

export async function insertFactor(db: Queries, factor: StoredFactor): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({
      id: factor.id,
      user_id: factor.userId,
      kind: factor.kind,
      name: factor.name,
      secret: factor.secret,
      credential_id: factor.credentialId,
      transports: JSON.stringify(factor.transports),
      counter: factor.counter,
      created_ms: factor.createdMs,
      last_used_ms: factor.lastUsedMs,
    })
    .execute()
}

/** Records a use; false when `counter` is not beyond the last one, so that of two uses of one code only one counts. */
export async function noteUse(db: Queries, id: string, counter: number, nowMs: number): Promise<boolean> {
  const noted = await db
    .updateTable('second_factors')
    .set({ counter, last_used_ms: nowMs })
    .where('id', '=', id)
    // A passkey without a counter reports 0 each time.
    .$if(counter > 0, (query) => query.where('counter', '<', counter))
    .returning('id')
    .execute()
  return noted.length > 0
}

export async function deleteFactor(db: Queries, userId: string, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .execute()
  return gone.length > 0
}

export async function deleteFactorsOf(db: Queries, userId: string): Promise<number> {
  const gone = await db.deleteFrom('second_factors').where('user_id', '=', userId).returning('id').execute()
  return gone.length
}

export async function countRecoveryCodes(db: Queries, userId: string): Promise<number> {
  return await countOf(db.selectFrom('recovery_codes').where('user_id', '=', userId))
}

export async function replaceRecoveryCodes(
  db: Queries,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** When a code is used twice, only one use answers true. */
export async function useRecoveryCode(db: Queries, userId: string, hash: string): Promise<boolean> {
  const used = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .returning('code_hash')
    .execute()
  return used.length > 0
}

function factorOf(row: SecondFactorRow): StoredFactor {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind as StoredFactor['kind'],
    name: row.name,
    secret: row.secret,
    credentialId: row.credential_id,
    transports: JSON.parse(row.transports) as string[],
    counter: row.counter,
    createdMs: row.created_ms,
    lastUsedMs: row.last_used_ms,
  }
}
