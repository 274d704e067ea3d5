// The data sent by transmissions, by quarters of an hour, and an index for the transmissions of one customer in a period.
import type { Queries } from '../schema.ts'

export const name = '0007-transmission-usage'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('transmission_usage')
    .addColumn('transmission_id', 'text', (c) =>
      c.notNull().references('transmissions.id').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('transmission_usage_pkey', ['transmission_id', 'from_ms'])
    .execute()
  await db.schema
    .createIndex('transmissions_by_inventory')
    .on('transmissions')
    .columns(['inventory_id', 'stopped_ms', 'started_ms'])
    .execute()
}
