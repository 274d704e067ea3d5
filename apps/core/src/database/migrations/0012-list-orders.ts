// The orders in which long lists are read: without them each page of a list by name sorts all of it.

import { indexByName } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0012-list-orders'

export async function up(db: Queries): Promise<void> {
  await indexByName(db, 'users', 'username')
  await indexByName(db, 'groups', 'name')
  await indexByName(db, 'groups', 'name', ['inventory_id'])
  await indexByName(db, 'devices', 'name', ['inventory_id', 'kind'])
}
