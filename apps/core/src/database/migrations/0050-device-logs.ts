// Logs that devices have sent, part by part.
import type { Queries } from '../schema.ts'

export const name = '0050-device-logs'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('device_logs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.references('devices.id').onDelete('cascade'))
    .addColumn('channel_id', 'text')
    .addColumn('device_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('requested_by', 'text', (c) => c.notNull())
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('device_logs_unit')
    .on('device_logs')
    .columns(['unit_id', 'started_ms'])
    .execute()
  await db.schema
    .createTable('device_log_parts')
    .addColumn('log_id', 'text', (c) => c.notNull().references('device_logs.id').onDelete('cascade'))
    .addColumn('at', 'integer', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('device_log_parts_pk', ['log_id', 'at'])
    .execute()
}
