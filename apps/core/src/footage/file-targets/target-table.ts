import type { FileTarget } from '@backhaul/contract/nouns/file-targets'
import { byName } from '../../database/dialect.ts'
import type { FileTargetRow } from '../../database/file-schema.ts'
import { countOf } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'

type Settings = Omit<FileTarget, 'id' | 'inventoryId' | 'name' | 'hasSecret' | 'sendsAll'>

export interface StoredTarget extends Omit<FileTarget, 'hasSecret' | 'sendsAll'> {
  /** Sealed. */
  secret: string | null
  /** The time from which finished files are sent automatically. */
  sendsSinceMs: number | null
}

const ofInventory = (db: Queries, inventoryId: string) =>
  db.selectFrom('file_targets').where('inventory_id', '=', inventoryId)

/** The targets of a customer, by name. */
export async function targetsOf(db: Queries, inventoryId: string): Promise<StoredTarget[]> {
  const rows = await ofInventory(db, inventoryId)
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref('name')))
    .orderBy('id')
    .execute()
  return rows.map(storedOf)
}

/** The targets of any customer that send all files. */
export async function targetsThatSendAll(db: Queries): Promise<StoredTarget[]> {
  const rows = await db
    .selectFrom('file_targets')
    .selectAll()
    .where('sends_since_ms', 'is not', null)
    .execute()
  return rows.map(storedOf)
}

export async function countTargets(db: Queries, inventoryId: string): Promise<number> {
  return await countOf(ofInventory(db, inventoryId))
}

export async function findTarget(
  db: Queries,
  inventoryId: string,
  id: string,
): Promise<StoredTarget | undefined> {
  const row = await ofInventory(db, inventoryId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && storedOf(row)
}

/** The target of any customer with this id. */
export async function targetById(db: Queries, id: string): Promise<StoredTarget | undefined> {
  const row = await db.selectFrom('file_targets').selectAll().where('id', '=', id).executeTakeFirst()
  return row && storedOf(row)
}

export async function insertTarget(db: Queries, target: StoredTarget, createdMs: number): Promise<void> {
  await db
    .insertInto('file_targets')
    .values({ ...rowOf(target), created_ms: createdMs })
    .execute()
}

export async function updateTarget(db: Queries, target: StoredTarget): Promise<void> {
  await db.updateTable('file_targets').set(rowOf(target)).where('id', '=', target.id).execute()
}

export async function deleteTarget(db: Queries, inventoryId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('file_targets')
    .where('inventory_id', '=', inventoryId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const rowOf = ({ id, inventoryId, name, secret, sendsSinceMs, ...settings }: StoredTarget) => ({
  id,
  inventory_id: inventoryId,
  name,
  settings: JSON.stringify(settings satisfies Settings),
  secret,
  sends_since_ms: sendsSinceMs,
})

const storedOf = (row: FileTargetRow): StoredTarget => ({
  ...(JSON.parse(row.settings) as Settings),
  id: row.id,
  inventoryId: row.inventory_id,
  name: row.name,
  secret: row.secret,
  sendsSinceMs: row.sends_since_ms === null ? null : Number(row.sends_since_ms),
})
