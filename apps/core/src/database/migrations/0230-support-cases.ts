// Cases that users open with the support.
import type { Queries } from '../schema.ts'

export const name = '0230-support-cases'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('support_cases')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('unit_name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('opened_by', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('with_logs', 'integer', (c) => c.notNull())
    .addColumn('opened_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('support_cases_unit')
    .on('support_cases')
    .columns(['unit_id', 'opened_ms'])
    .execute()
}
