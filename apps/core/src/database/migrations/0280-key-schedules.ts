// Core looks for the groups that renew their registration keys every few seconds: they are few among a million.
import type { Queries } from '../schema.ts'

export const name = '0280-key-schedules'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createIndex('groups_with_key_schedule')
    .on('groups')
    .column('key_schedule')
    .where('key_schedule', '<>', 'never')
    .execute()
}
