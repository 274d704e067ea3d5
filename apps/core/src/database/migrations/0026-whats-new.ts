// Notes on what is new, which each user sees once.
import type { Queries } from '../schema.ts'

export const name = '0026-whats-new'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('whats_new')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('published_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('whats_new_newest').on('whats_new').columns(['published_ms', 'id']).execute()
}
