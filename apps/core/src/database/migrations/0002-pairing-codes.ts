// Codes that admit one new machine to a group.
import type { Queries } from '../schema.ts'

export const name = '0002-pairing-codes'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('pairing_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint', (c) => c.notNull())
    // No reference: a code must remain used when its device is removed.
    .addColumn('used_by_device_id', 'text')
    .execute()
  await db.schema
    .createIndex('pairing_codes_by_expires_ms')
    .on('pairing_codes')
    .column('expires_ms')
    .execute()
}
