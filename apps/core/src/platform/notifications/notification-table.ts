import type { Page } from '@backhaul/contract/define/answers'
import { byName } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

export interface StoredNotification {
  id: string
  body: string
  global: boolean
  inventory: string | null
  inventoryName: string | null
  intervals: number[]
  createdMs: number
  expiresMs: number
}

const joined = (db: Queries) =>
  db
    .selectFrom('client_notifications')
    .leftJoin('inventories', 'inventories.id', 'client_notifications.inventory_id')

const columns = [
  'client_notifications.id',
  'client_notifications.body',
  'client_notifications.is_global',
  'client_notifications.inventory_id',
  'client_notifications.intervals',
  'client_notifications.created_ms',
  'client_notifications.expires_ms',
  'inventories.name as inventory_name',
] as const

type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const rowsOf = (db: Queries) => joined(db).select(columns).execute()

/** The notifications that have not expired, for all users or for an inventory of the caller; the newest first. */
export async function notificationsFor(
  db: Queries,
  scope: Scope,
  nowMs: number,
): Promise<StoredNotification[]> {
  const rows = await joined(db)
    .select(columns)
    .where('expires_ms', '>', nowMs)
    .where((eb) =>
      eb.or([eb('is_global', '=', 1), inventoryInScope(scope, eb.ref('inventory_id').$castTo<string>())]),
    )
    .orderBy('client_notifications.created_ms', 'desc')
    .orderBy('client_notifications.id')
    .execute()
  return rows.map(storedOf)
}

export async function notificationPage(
  db: Queries,
  { limit, offset, search, sort }: Paging<'expiration' | 'body' | 'name'>,
): Promise<Page<StoredNotification>> {
  const matching = joined(db).where((eb) => isFound(db, search, () => eb.ref('client_notifications.body')))
  const total = await countOf(matching)
  const rows = await matching
    .select(columns)
    .$if(sort.key === 'expiration', (query) => query.orderBy('expires_ms', sort.direction))
    .$if(sort.key !== 'expiration', (query) =>
      query.orderBy((eb) => byName(db, eb.ref('client_notifications.body')), sort.direction),
    )
    .orderBy('client_notifications.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(storedOf), total, offset, limit }
}

export async function findNotification(db: Queries, id: string): Promise<StoredNotification | undefined> {
  const row = await joined(db).select(columns).where('client_notifications.id', '=', id).executeTakeFirst()
  return row && storedOf(row)
}

export async function insertNotification(db: Queries, one: StoredNotification): Promise<void> {
  await db
    .insertInto('client_notifications')
    .values({ id: one.id, created_ms: one.createdMs, ...columnsOf(one) })
    .execute()
}

export async function updateNotification(db: Queries, one: StoredNotification): Promise<void> {
  await db.updateTable('client_notifications').set(columnsOf(one)).where('id', '=', one.id).execute()
}

export async function deleteNotification(db: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('client_notifications')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const columnsOf = ({ body, global, inventory, intervals, expiresMs }: StoredNotification) => ({
  body,
  is_global: global ? (1 as const) : (0 as const),
  inventory_id: inventory,
  intervals: JSON.stringify(intervals),
  expires_ms: expiresMs,
})

const storedOf = (row: Row): StoredNotification => ({
  id: row.id,
  body: row.body,
  global: row.is_global === 1,
  inventory: row.inventory_id,
  inventoryName: row.inventory_name,
  intervals: JSON.parse(row.intervals) as number[],
  createdMs: row.created_ms,
  expiresMs: row.expires_ms,
})
