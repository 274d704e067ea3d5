// Keys with which programs act for users, and which of them acted in a line of the audit log.
import type { Queries } from '../schema.ts'

export const name = '0024-api-keys'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint')
    .addColumn('last_used_ms', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_inventory').on('api_keys').column('inventory_id').execute()
  await db.schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute()
  await db.schema.alterTable('audit').addColumn('api_key', 'text').execute()
}
