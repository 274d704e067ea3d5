// The recipients of a group's alerts by e-mail, once the owner of the address has confirmed it.
import type { Queries } from '../schema.ts'

export const name = '0058-group-recipients'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('group_recipients')
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('email_key', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('verified_ms', 'bigint')
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('link_sent_ms', 'bigint', (c) => c.notNull())
    .addColumn('mailed_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('group_recipients_pk', ['group_id', 'email_key'])
    .execute()
}
