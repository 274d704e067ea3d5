// What finds a part of a name in long lists: without it each search reads every row, and once more for the total.

import { indexForSearch } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0245-search-indexes'

export async function up(db: Queries): Promise<void> {
  await indexForSearch(db, 'users', ['username', 'first_name', 'last_name'])
  await indexForSearch(db, 'groups', ['name'])
  await indexForSearch(db, 'devices', ['name'])
  await indexForSearch(db, 'channel_files', ['file_name'])
}
