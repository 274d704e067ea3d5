// Users who sign in at a provider: the user who belongs to an identity there, and what ends their sign-in.
import type { Queries } from '../schema.ts'

export const name = '0009-openid'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('openid_identities')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('openid_identities_pkey', ['issuer', 'subject'])
    // Another identity that gets this address at the provider later does not get this account.
    .addUniqueConstraint('openid_identities_user', ['issuer', 'user_id'])
    .execute()
  await db.schema.alterTable('sign_ins').addColumn('openid_token', 'text').execute()
}
