// Files that units send to the servers of their channels.
import type { Queries } from '../schema.ts'

export const name = '0063-unit-uploads'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('unit_uploads')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.references('channels.id').onDelete('set null'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint')
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
    .addColumn('started_by', 'text', (c) => c.notNull())
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('reason', 'text')
    .execute()
  await db.schema
    .createIndex('unit_uploads_newest')
    .on('unit_uploads')
    .columns(['unit_id', 'started_ms'])
    .execute()
  await db.schema
    .createIndex('unit_uploads_by_inventory')
    .on('unit_uploads')
    .columns(['inventory_id', 'ended_ms'])
    .execute()
}
