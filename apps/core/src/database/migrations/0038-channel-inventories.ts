// Channels that the groups of other customers than their server's may use.
import type { Queries } from '../schema.ts'

export const name = '0038-channel-inventories'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('inventory_channels')
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('inventory_channels_key', ['inventory_id', 'channel_id'])
    .execute()
  await db.schema
    .createIndex('inventory_channels_channel')
    .on('inventory_channels')
    .column('channel_id')
    .execute()
}
