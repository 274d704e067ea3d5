// The identities of users at OpenID Connect providers.
import type { Queries } from '../../database/schema.ts'

/** Names a user of a provider: `subject` is the id that this issuer gives to no other. */
export interface Identity {
  issuer: string
  subject: string
}

export async function userIdOf(db: Queries, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db
    .selectFrom('openid_identities')
    .select('user_id as userId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.userId
}

/** Fails on a unique key where the identity, or the user, belongs to another already. */
export async function insertIdentity(
  db: Queries,
  identity: Identity,
  userId: string,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('openid_identities')
    .values({ ...identity, user_id: userId, created_ms: nowMs })
    .execute()
}

/** The next sign-in of an enterprise user at a provider is like their first one. */
export async function deleteIdentities(db: Queries, userId: string): Promise<void> {
  await db.deleteFrom('openid_identities').where('user_id', '=', userId).execute()
}
