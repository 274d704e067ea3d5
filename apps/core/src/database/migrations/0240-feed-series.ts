// The rates that the feeds of transceivers received and sent on over time.
import { blobType } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0240-feed-series'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('feed_chunks')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('resolution_ms', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('data', blobType(db), (c) => c.notNull())
    .addPrimaryKeyConstraint('feed_chunks_key', ['channel_id', 'resolution_ms', 'from_ms'])
    .execute()
  await db.schema
    .createIndex('feed_chunks_resolution_ms')
    .on('feed_chunks')
    .columns(['resolution_ms', 'to_ms'])
    .execute()
}
