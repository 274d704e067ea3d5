// The secondary inventories of a customer are part of every query of its administrators.
import type { Queries } from '../schema.ts'

export const name = '0270-inventory-parents'

export async function up(db: Queries): Promise<void> {
  await db.schema.createIndex('inventories_parent').on('inventories').column('parent_id').execute()
}
