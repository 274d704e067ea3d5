import type { Page } from '@backhaul/contract/define/answers'
import {
  type EnhancedInventory,
  type Inventory,
  InventoryProperties,
} from '@backhaul/contract/nouns/inventories'
import { sql } from 'kysely'
import { byName, contains } from '../../database/dialect.ts'
import { countOf, isFound, type Paging } from '../../database/paging.ts'
import type { InventoryRow, Queries, Schema } from '../../database/schema.ts'
import { type Customers, inventoryInScope, isCustomerIn, type Scope } from '../../database/scope.ts'

const readable = (db: Queries, scope: Scope) =>
  db.selectFrom('inventories').where((eb) => inventoryInScope(scope, eb.ref('id')))

export async function listInventories(
  db: Queries,
  scope: Scope,
  { name, limit }: { name?: string | undefined; limit: number },
): Promise<Inventory[]> {
  const rows = await readable(db, scope)
    .selectAll()
    .$if(name !== undefined && name !== '', (query) =>
      query.where((eb) => contains(db, eb.ref('name'), name ?? '')),
    )
    .orderBy((eb) => byName(db, eb.ref('name')))
    .limit(limit)
    .execute()
  return rows.map(inventoryOf)
}

const columnOf = {
  name: 'name',
  region: 'region',
  customerId: 'customer_id',
  sipServer: 'sip_server',
} as const

export async function inventoryPage(
  db: Queries,
  scope: Scope,
  { limit, offset, search, sort }: Paging<keyof typeof columnOf>,
): Promise<Page<Inventory>> {
  const matching = readable(db, scope).where((eb) => isFound(db, search, (key) => eb.ref(columnOf[key])))
  const total = await countOf(matching)
  const rows = await matching
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref(columnOf[sort.key])), sort.direction)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: rows.map(inventoryOf), total, offset, limit }
}

export async function countInventories(db: Queries, scope: Scope): Promise<number> {
  return await countOf(readable(db, scope))
}

const ofCustomers = (db: Queries, customers: readonly Customers[]) =>
  db
    .selectFrom('inventories')
    .where((eb) => isCustomerIn(customers, eb.ref('inventories.id')))
    .orderBy('id')

export async function inventoryIdsIn(db: Queries, customers: readonly Customers[]): Promise<string[]> {
  const rows = await ofCustomers(db, customers).select('id').execute()
  return rows.map(({ id }) => id)
}

export async function inventoriesIn(db: Queries, customers: readonly Customers[]): Promise<Inventory[]> {
  return (await ofCustomers(db, customers).selectAll().execute()).map(inventoryOf)
}

export async function secondaryIds(db: Queries, parentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inventories')
    .select('id')
    .where('parent_id', '=', parentId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function userIdsOf(db: Queries, inventoryIds: readonly string[]): Promise<string[]> {
  if (inventoryIds.length === 0) return []
  const rows = await db
    .selectFrom('user_inventories')
    .select('user_id')
    .distinct()
    .where('inventory_id', 'in', inventoryIds)
    .execute()
  return rows.map((row) => row.user_id)
}

/** One query for each kind of object, for any number of inventories. */
export async function enhanced(db: Queries, inventories: readonly Inventory[]): Promise<EnhancedInventory[]> {
  const ids = inventories.map(({ id }) => id)
  const parents = inventories.flatMap(({ parent }) => parent ?? [])
  const [units, channels, groups, users, secondaries, named] = await Promise.all([
    countBy(db, 'devices', 'inventory_id', ids, 'unit'),
    countBy(db, 'channels', 'inventory_id', ids),
    countBy(db, 'groups', 'inventory_id', ids),
    countBy(db, 'user_inventories', 'inventory_id', ids),
    countBy(db, 'inventories', 'parent_id', ids),
    parents.length === 0
      ? []
      : db.selectFrom('inventories').select(['id', 'name']).where('id', 'in', parents).execute(),
  ])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return inventories.map(({ id, parent, ...inventory }) => ({
    ...inventory,
    id,
    parent,
    parentName: parent === null ? null : (names.get(parent) ?? null),
    units: units.get(id) ?? 0,
    channels: channels.get(id) ?? 0,
    groups: groups.get(id) ?? 0,
    users: users.get(id) ?? 0,
    secondaries: secondaries.get(id) ?? 0,
  }))
}

/** The numbers of objects that keep an inventory from being removed. */
export async function belongingTo(db: Queries, id: string) {
  const count = async (from: keyof Schema, column: string, kind?: string) =>
    (await countBy(db, from, column, [id], kind)).get(id) ?? 0
  return {
    units: await count('devices', 'inventory_id', 'unit'),
    servers: await count('devices', 'inventory_id', 'server'),
    channels: await count('channels', 'inventory_id'),
    groups: await count('groups', 'inventory_id'),
    users: await count('user_inventories', 'inventory_id'),
    transmissions: await count('transmissions', 'inventory_id'),
    secondaries: await count('inventories', 'parent_id'),
  }
}

/** The number of rows of a table that each inventory has; `kind` narrows devices. */
async function countBy(
  db: Queries,
  from: keyof Schema,
  column: string,
  ids: readonly string[],
  kind?: string,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; count: number }>`select ${sql.ref(column)} as id, count(*) as count
    from ${sql.table(from)} where ${sql.ref(column)} in (${sql.join(ids)})
    ${kind === undefined ? sql`` : sql`and kind = ${kind}`} group by ${sql.ref(column)}`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Reads the row and locks it against other writers until the transaction ends, on both engines. */
export async function holdInventory(db: Queries, id: string): Promise<Inventory | undefined> {
  const row = await db
    .updateTable('inventories')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && inventoryOf(row)
}

export async function updateInventory(db: Queries, inventory: Inventory): Promise<void> {
  await db.updateTable('inventories').set(columnsOf(inventory)).where('id', '=', inventory.id).execute()
}

export async function deleteInventory(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('inventories').where('id', '=', id).execute()
}

export async function findInventory(db: Queries, id: string): Promise<Inventory | undefined> {
  const row = await db.selectFrom('inventories').selectAll().where('id', '=', id).executeTakeFirst()
  return row && inventoryOf(row)
}

export async function insertInventory(db: Queries, inventory: Inventory, nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('inventories')
    .values({ id: inventory.id, ...columnsOf(inventory), created_ms: nowMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

function columnsOf(inventory: Inventory): Omit<InventoryRow, 'id' | 'created_ms'> {
  return {
    name: inventory.name,
    parent_id: inventory.parent,
    region: inventory.region,
    customer_id: inventory.customerId,
    sip_server: inventory.sipServer,
    cloud_provider: inventory.cloudProvider,
    properties: JSON.stringify(inventory.properties),
  }
}

function inventoryOf(row: InventoryRow): Inventory {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    parent: row.parent_id,
    customerId: row.customer_id,
    sipServer: row.sip_server,
    cloudProvider: row.cloud_provider as Inventory['cloudProvider'],
    properties: InventoryProperties.parse(JSON.parse(row.properties)),
  }
}
