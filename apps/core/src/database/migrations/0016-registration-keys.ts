// Registration keys are renewed on a schedule, and a group sets how it invites.
import type { Queries } from '../schema.ts'

export const name = '0016-registration-keys'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .alterTable('groups')
    .addColumn('key_schedule', 'text', (c) => c.notNull().defaultTo('never'))
    .execute()
  await db.schema
    .alterTable('groups')
    .addColumn('key_made_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await db
    .updateTable('groups')
    .set((eb) => ({ key_made_ms: eb.ref('created_ms') }))
    .execute()
  // Every group could invite before, so every group still can.
  await db.schema
    .alterTable('groups')
    .addColumn('adhoc_mode', 'text', (c) => c.notNull().defaultTo('link'))
    .execute()
}
