// Pictures that were returned to units: who had which channel, and for how long.
import type { Queries } from '../schema.ts'

export const name = '0046-video-returns'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('video_returns')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.references('channels.id').onDelete('set null'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id'))
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_by', 'text', (c) => c.notNull())
    .addColumn('live_ms', 'bigint')
    .addColumn('stopped_ms', 'bigint')
    .addColumn('stopped_by', 'text')
    .addColumn('stop_reason', 'text')
    .execute()
  await db.schema
    .createIndex('video_returns_inventory')
    .on('video_returns')
    .columns(['inventory_id', 'started_ms'])
    .execute()
  await db.schema
    .createIndex('video_returns_stopped')
    .on('video_returns')
    .columns(['stopped_ms', 'inventory_id'])
    .execute()
}
