// Audio rooms, which channel a tally or an IFB belongs to, and services that are given to a user.
import type { Queries } from '../schema.ts'

export const name = '0055-talkback'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('audio_rooms')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('interfaces', 'text', (c) => c.notNull())
    .addColumn('units', 'text', (c) => c.notNull())
    .addColumn('channels', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('audio_rooms_name', ['inventory_id', 'name'])
    .execute()
  await db.schema
    .createTable('channel_interfaces')
    .addColumn('interface_id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addUniqueConstraint('channel_interfaces_one', ['channel_id', 'kind'])
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('services', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute()
}
