// Searches and totals of lists with a million rows: indexes of three letters each, and how many rows there are.
import { createRowCounts, keepRowCounts } from '../row-counts.ts'
import type { Queries } from '../schema.ts'
import { indexTrigrams } from '../search.ts'

export const name = '0250-long-lists'

export async function up(db: Queries): Promise<void> {
  await indexTrigrams(db, 'users', ['id'], ['username', 'first_name', 'last_name'])
  await indexTrigrams(db, 'groups', ['id'], ['name'])
  await indexTrigrams(db, 'devices', ['id'], ['name'])
  await indexTrigrams(db, 'channel_files', ['channel_id', 'unit_id', 'file_name'], ['file_name'])
  await createRowCounts(db)
  await keepRowCounts(db, 'users', [])
  await keepRowCounts(db, 'user_inventories', ['inventory_id'])
  await keepRowCounts(db, 'groups', ['inventory_id'])
  await keepRowCounts(db, 'devices', ['kind', 'inventory_id'])
  await keepRowCounts(db, 'channel_files', ['channel_id'])
}
