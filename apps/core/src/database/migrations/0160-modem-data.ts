// The watched direction of a modem's data, and its count since the reset day.
import type { Queries } from '../schema.ts'

export const name = '0160-modem-data'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('modem_data')
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('use_limit', 'bigint', (c) => c.notNull())
    .addColumn('reset_day', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('connected_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('modem_data_pkey', ['unit_id', 'port'])
    .execute()
}
