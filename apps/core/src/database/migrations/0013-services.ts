// Services that customers have: plans, trials, what they may use and what they used.
import type { Queries } from '../schema.ts'

export const name = '0013-services'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('inventory_services')
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('plan', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint')
    .addColumn('trial_started_ms', 'bigint')
    .addColumn('renewal', 'text', (c) => c.notNull())
    .addColumn('instance_limit', 'integer')
    .addColumn('usage_type', 'text', (c) => c.notNull())
    // Thousandths of a gigabyte or of an hour, as is what was used.
    .addColumn('package_milli', 'bigint')
    .addColumn('used_milli', 'bigint')
    .addColumn('counted_from_ms', 'bigint', (c) => c.notNull())
    .addColumn('over_told_ms', 'bigint')
    .addPrimaryKeyConstraint('inventory_services_pkey', ['inventory_id', 'name'])
    .execute()
}
