// Streaming destinations of channels: their names, streams and addresses are unique within a customer.
import type { Queries } from '../schema.ts'

export const name = '0039-destinations'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('destinations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('stream_key', 'text')
    .addColumn('address_key', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('destinations_name', ['inventory_id', 'name_key'])
    .addUniqueConstraint('destinations_stream', ['inventory_id', 'stream_key'])
    .addUniqueConstraint('destinations_address', ['inventory_id', 'address_key'])
    .execute()
  await db.schema.createIndex('destinations_channel').on('destinations').column('channel_id').execute()
}
