// Devices that customers have opened to the vendor's support for some hours.
import type { Queries } from '../schema.ts'

export const name = '0025-access-approvals'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('access_approvals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('device_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('granted_by', 'text', (c) => c.notNull())
    .addColumn('start_ms', 'bigint', (c) => c.notNull())
    .addColumn('end_ms', 'bigint', (c) => c.notNull())
    .addColumn('used_ms', 'bigint')
    .addColumn('used_by', 'text')
    .execute()
  await db.schema
    .createIndex('access_approvals_by_device')
    .on('access_approvals')
    .columns(['device_id', 'end_ms'])
    .execute()
  await db.schema
    .createIndex('access_approvals_newest')
    .on('access_approvals')
    .columns(['start_ms', 'id'])
    .execute()
}
