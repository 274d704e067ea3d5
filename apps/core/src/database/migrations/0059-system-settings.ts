// Settings of vendor staff for the whole installation, each child a short list, and where channels go live.
import type { Queries } from '../schema.ts'

export const name = '0059-system-settings'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('system_settings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('child', 'text', (c) => c.notNull())
    .addColumn('unique_key', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('system_settings_key', ['child', 'unique_key'])
    .execute()
  await db.schema
    .createTable('channel_social_media')
    .addColumn('channel_id', 'text', (c) => c.primaryKey().references('channels.id').onDelete('cascade'))
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('stream_key', 'text')
    .addColumn('preview_key', 'text')
    .execute()
}
