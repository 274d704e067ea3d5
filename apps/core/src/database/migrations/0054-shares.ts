// Channels that a group shares under a key, and who has subscribed to them, in folders.
import type { Queries } from '../schema.ts'

export const name = '0054-shares'

export async function up(db: Queries): Promise<void> {
  await ofGroup(db, 'publishers')
    .addColumn('share_key', 'text', (c) => c.notNull().unique())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('shared_channels')
    .addColumn('publisher_id', 'text', (c) => c.notNull().references('publishers.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('shared_channels_key', ['publisher_id', 'channel_id'])
    .execute()
  await ofGroup(db, 'share_folders').addUniqueConstraint('share_folders_name', ['group_id', 'name']).execute()
  await ofGroup(db, 'subscribers')
    .addColumn('folder_id', 'text', (c) => c.references('share_folders.id'))
    .addColumn('share_key', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('subscribers_key', ['group_id', 'share_key'])
    .execute()
  for (const table of ['publishers', 'share_folders', 'subscribers'] as const)
    await db.schema.createIndex(`${table}_by_inventory`).on(table).column('inventory_id').execute()
}

const ofGroup = (db: Queries, table: string) =>
  db.schema
    .createTable(table)
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('group_id', 'text', (c) => c.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
