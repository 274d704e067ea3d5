import type { SignInRow } from '../../database/access-schema.ts'
import type { Queries } from '../../database/schema.ts'

export interface SignIn {
  id: string
  userId: string
  tokenHash: string
  csrfHash: string
  address: string
  agent: string
  createdMs: number
  lastSeenMs: number
  expiresMs: number
  /** The token of a sign-in that began at a provider. */
  openidToken: string | null
}

export async function insertSignIn(db: Queries, signIn: SignIn): Promise<void> {
  await db
    .insertInto('sign_ins')
    .values({
      id: signIn.id,
      user_id: signIn.userId,
      token_hash: signIn.tokenHash,
      csrf_hash: signIn.csrfHash,
      address: signIn.address,
      agent: signIn.agent,
      created_ms: signIn.createdMs,
      last_seen_ms: signIn.lastSeenMs,
      expires_ms: signIn.expiresMs,
      openid_token: signIn.openidToken,
    })
    .execute()
}

export async function findByTokenHash(db: Queries, tokenHash: string): Promise<SignIn | undefined> {
  const row = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && signInOf(row)
}

export async function touch(db: Queries, id: string, lastSeenMs: number): Promise<void> {
  await db.updateTable('sign_ins').set({ last_seen_ms: lastSeenMs }).where('id', '=', id).execute()
}

/** Answers it, if it was still there. */
export async function deleteSignIn(db: Queries, id: string): Promise<SignIn | undefined> {
  const row = await db.deleteFrom('sign_ins').where('id', '=', id).returningAll().executeTakeFirst()
  return row && signInOf(row)
}

/** The sign-ins of one user, the last used first. */
export async function signInsOf(db: Queries, userId: string): Promise<SignIn[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(signInOf)
}

/** Removes all of one user but the named one, and answers which. */
export async function deleteOfUser(
  db: Queries,
  userId: string,
  exceptId: string | undefined,
): Promise<{ id: string; userId: string }[]> {
  return await db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId ?? ''))
    .returning(['id', 'user_id as userId'])
    .execute()
}

/** Sign-ins made or used before the clock was set back get no more time than they had at first. */
export async function clampFutureSignIns(db: Queries, nowMs: number): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set((eb) => ({
      created_ms: nowMs,
      expires_ms: eb(eb('expires_ms', '-', eb.ref('created_ms')), '+', nowMs),
    }))
    .where('created_ms', '>', nowMs)
    .execute()
  await db.updateTable('sign_ins').set({ last_seen_ms: nowMs }).where('last_seen_ms', '>', nowMs).execute()
}

/** Removes those past their end or unused since `idleSinceMs`, and answers which. */
export async function deleteEnded(
  db: Queries,
  nowMs: number,
  idleSinceMs: number,
): Promise<{ id: string; userId: string }[]> {
  return await db
    .deleteFrom('sign_ins')
    .where((eb) => eb.or([eb('expires_ms', '<=', nowMs), eb('last_seen_ms', '<=', idleSinceMs)]))
    .returning(['id', 'user_id as userId'])
    .execute()
}

function signInOf(row: SignInRow): SignIn {
  return {
    id: row.id,
    userId: row.user_id,
    tokenHash: row.token_hash,
    csrfHash: row.csrf_hash,
    address: row.address,
    agent: row.agent,
    createdMs: row.created_ms,
    lastSeenMs: row.last_seen_ms,
    expiresMs: row.expires_ms,
    openidToken: row.openid_token,
  }
}
