// Graphics of customers.
import type { Queries } from '../schema.ts'

export const name = '0070-overlays'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('overlays')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('png', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('overlays_name', ['inventory_id', 'name'])
    .execute()
}
