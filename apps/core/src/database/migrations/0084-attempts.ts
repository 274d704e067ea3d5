// The counts that limit guesses, and the pending second steps: in the database, so that a restart or another core has them.
import type { Queries } from '../schema.ts'

export const name = '0084-attempts'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('attempts_by_key').on('attempts').columns(['key', 'at_ms']).execute()
  await db.schema.createIndex('attempts_by_time').on('attempts').column('at_ms').execute()
  await db.schema
    .createTable('challenges')
    .addColumn('secret_hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('tries_left', 'integer', (c) => c.notNull())
    .addColumn('until_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('challenges_by_user').on('challenges').column('user_id').execute()
}
