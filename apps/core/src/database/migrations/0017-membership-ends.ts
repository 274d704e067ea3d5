// Memberships that expire are queried every few seconds.
import type { Queries } from '../schema.ts'

export const name = '0017-membership-ends'

export async function up(db: Queries): Promise<void> {
  await db.schema.createIndex('group_units_expires').on('group_units').column('expires_ms').execute()
}
