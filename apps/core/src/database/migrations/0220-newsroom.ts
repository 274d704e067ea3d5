// The address of a customer's newsroom, the time of its next reading, the newest result, and the stories that came from it.
import type { Queries } from '../schema.ts'

export const name = '0220-newsroom'

export async function up(db: Queries): Promise<void> {
  const add = (column: string, type: 'text' | 'bigint') =>
    db.schema.alterTable('ingest_accounts').addColumn(column, type).execute()
  await add('address', 'text')
  await add('username', 'text')
  // Null while the switch is off.
  await add('next_sync_ms', 'bigint')
  await add('last_sync', 'text')
  await db.schema.alterTable('stories').addColumn('newsroom_id', 'text').execute()
  await db.schema
    .createIndex('stories_of_newsroom')
    .on('stories')
    .columns(['inventory_id', 'newsroom_id'])
    .unique()
    .execute()
}
