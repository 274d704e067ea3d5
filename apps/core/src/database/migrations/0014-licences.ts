// Licences: what each customer holds, and what of it each unit has.
import type { Queries } from '../schema.ts'

export const name = '0014-licences'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('licence_stocks')
    .addColumn('inventory_id', 'text', (c) => c.primaryKey().references('inventories.id').onDelete('cascade'))
    .addColumn('totals', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('unit_licences')
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('licence', 'text', (c) => c.notNull())
    .addColumn('amount', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('unit_licences_pkey', ['unit_id', 'licence'])
    .execute()
}
