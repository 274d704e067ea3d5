import { byName } from '../../database/dialect.ts'
import { countOf } from '../../database/paging.ts'
import type { Queries } from '../../database/schema.ts'
import type { OverlayRow } from '../../database/settings-schema.ts'

export interface OverlayFacts {
  id: string
  inventory: string
  name: string
  width: number
  height: number
  createdMs: number
}

export interface StoredOverlay extends OverlayFacts {
  /** The file, in base64. */
  png: string
}

const ofInventory = (db: Queries, inventoryId: string) =>
  db.selectFrom('overlays').where('inventory_id', '=', inventoryId)

/** The graphics by name. */
export async function overlaysOf(db: Queries, inventoryId: string): Promise<StoredOverlay[]> {
  const rows = await ofInventory(db, inventoryId)
    .selectAll()
    .orderBy((eb) => byName(db, eb.ref('name')))
    .orderBy('id')
    .execute()
  return rows.map(storedOf)
}

export async function countOverlays(db: Queries, inventoryId: string): Promise<number> {
  return await countOf(ofInventory(db, inventoryId))
}

/** The picture of an overlay of any customer. */
export async function pngOf(db: Queries, id: string): Promise<string | undefined> {
  return (await db.selectFrom('overlays').select('png').where('id', '=', id).executeTakeFirst())?.png
}

/** The graphic, locked against selection and deletion until the transaction ends. */
export async function holdOverlay(
  db: Queries,
  inventoryId: string,
  id: string,
): Promise<StoredOverlay | undefined> {
  const row = await db
    .updateTable('overlays')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('inventory_id', '=', inventoryId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && storedOf(row)
}

export async function insertOverlay(db: Queries, overlay: StoredOverlay): Promise<void> {
  const { id, inventory, name, width, height, png, createdMs } = overlay
  await db
    .insertInto('overlays')
    .values({ id, inventory_id: inventory, name, width, height, png, created_ms: createdMs })
    .execute()
}

export async function deleteOverlay(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('overlays').where('id', '=', id).execute()
}

const storedOf = (row: OverlayRow): StoredOverlay => ({
  id: row.id,
  inventory: row.inventory_id,
  name: row.name,
  width: row.width,
  height: row.height,
  createdMs: row.created_ms,
  png: row.png,
})
