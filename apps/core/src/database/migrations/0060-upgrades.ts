// The newest upgrade of each device: its target version, and its result.
import type { Queries } from '../schema.ts'

export const name = '0060-upgrades'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('upgrades')
    .addColumn('device_id', 'text', (c) => c.primaryKey().references('devices.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('version_id', 'text', (c) => c.notNull())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('percent', 'integer', (c) => c.notNull())
    .addColumn('result_code', 'integer')
    .addColumn('reason', 'text')
    .addColumn('asked_by', 'text', (c) => c.notNull())
    .addColumn('changed_ms', 'bigint', (c) => c.notNull())
    .execute()
}
