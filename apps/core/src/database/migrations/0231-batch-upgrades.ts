// Files of many upgrades, and what came of each of their lines.
import type { Queries } from '../schema.ts'

export const name = '0231-batch-upgrades'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('batch_upgrades')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('made_by', 'text', (c) => c.notNull())
    .addColumn('made_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_ms', 'bigint')
    .execute()
  // The report is kept when a device is deleted: it does not refer to it.
  await db.schema
    .createTable('batch_upgrade_rows')
    .addColumn('batch_id', 'text', (c) => c.notNull().references('batch_upgrades.id').onDelete('cascade'))
    .addColumn('line', 'integer', (c) => c.notNull())
    .addColumn('serial_number', 'text', (c) => c.notNull())
    .addColumn('target_version', 'text', (c) => c.notNull())
    .addColumn('device_id', 'text')
    .addColumn('device_name', 'text')
    .addColumn('from_version', 'text')
    .addColumn('upgrade_id', 'text')
    .addColumn('state', 'text')
    .addColumn('reason', 'text')
    .addColumn('cause', 'text')
    .addPrimaryKeyConstraint('batch_upgrade_rows_pk', ['batch_id', 'line'])
    .execute()
  await db.schema
    .createIndex('batch_upgrade_rows_upgrade')
    .on('batch_upgrade_rows')
    .column('upgrade_id')
    .execute()
}
