import { type Inventory, InventoryProperties } from '@backhaul/contract/nouns/inventories'
import type { InventoryRow, Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'
import { byName, contains } from '../../database/words.ts'

export async function listInventories(
  db: Queries,
  scope: Scope,
  { name, limit }: { name?: string | undefined; limit: number },
): Promise<Inventory[]> {
  const rows = await db
    .selectFrom('inventories')
    .selectAll()
    .where((eb) => inventoryInScope(scope, eb.ref('id')))
    .$if(name !== undefined && name !== '', (query) =>
      query.where((eb) => contains(db, eb.ref('name'), name ?? '')),
    )
    .orderBy((eb) => byName(db, eb.ref('name')))
    .limit(limit)
    .execute()
  return rows.map(inventoryOf)
}

export async function findInventory(db: Queries, id: string): Promise<Inventory | undefined> {
  const row = await db.selectFrom('inventories').selectAll().where('id', '=', id).executeTakeFirst()
  return row && inventoryOf(row)
}

export async function insertInventory(db: Queries, inventory: Inventory, nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('inventories')
    .values({
      id: inventory.id,
      name: inventory.name,
      parent_id: inventory.parent,
      region: inventory.region,
      customer_id: inventory.customerId,
      sip_server: inventory.sipServer,
      cloud_provider: inventory.cloudProvider,
      properties: JSON.stringify(inventory.properties),
      created_ms: nowMs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
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
