// The groups and customers that devices joined and left.
import type { Queries } from '../schema.ts'

export const name = '0232-device-histories'

/** The lines are kept when a device, a group or a customer is deleted: they do not refer to it. */
export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('device_histories')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('device_name', 'text', (c) => c.notNull())
    .addColumn('target_id', 'text', (c) => c.notNull())
    .addColumn('target_name', 'text', (c) => c.notNull())
    .addColumn('made_by', 'text')
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .execute()
  for (const column of ['kind', 'device_id', 'target_id'])
    await db.schema
      .createIndex(`device_histories_${column}`)
      .on('device_histories')
      .columns([column, 'at_ms'])
      .execute()
}
