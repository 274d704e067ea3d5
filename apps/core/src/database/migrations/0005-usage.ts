// The monthly limits of usage profiles, the units of each profile, and the usage of each unit.
import { sql } from 'kysely'
import type { Queries } from '../schema.ts'

export const name = '0005-usage'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('usage_profiles')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('monthly_limit', 'bigint', (c) => c.notNull())
    .addColumn('reset_day', 'integer', (c) => c.notNull())
    .addColumn('is_default', 'integer', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('usage_profiles_name', ['inventory_id', 'name'])
    .execute()
  await sql`create unique index usage_profiles_default on usage_profiles (inventory_id, type)
    where is_default = 1`.execute(db)
  await db.schema
    .createTable('unit_usage_profiles')
    .addColumn('unit_id', 'text', (c) => c.primaryKey().references('devices.id').onDelete('cascade'))
    .addColumn('profile_id', 'text', (c) => c.notNull().references('usage_profiles.id'))
    .execute()
  await db.schema
    .createIndex('unit_usage_profiles_by_profile')
    .on('unit_usage_profiles')
    .column('profile_id')
    .execute()
  await db.schema
    .createTable('usage_counts')
    .addColumn('unit_id', 'text', (c) => c.primaryKey().references('devices.id').onDelete('cascade'))
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('sending_ms', 'bigint', (c) => c.notNull())
    .execute()
}
