// Link extenders: which of a customer's are paired to which of their units.
import type { Queries } from '../schema.ts'

export const name = '0076-link-extenders'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('link_extenders')
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('serial_number', 'text', (c) => c.notNull())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('paired_ms', 'bigint', (c) => c.notNull())
    .addColumn('paired_by', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('link_extenders_pkey', ['inventory_id', 'serial_number'])
    .execute()
  await db.schema.createIndex('link_extenders_unit').on('link_extenders').column('unit_id').execute()
}
