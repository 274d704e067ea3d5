// AI settings, and the sessions of units with their marks.
import type { Queries } from '../schema.ts'

export const name = '0031-ai'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('ai_settings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('secret', 'text')
    .execute()
  await db.schema
    .createTable('ai_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('settings_id', 'text', (c) => c.notNull())
    .addColumn('profile_name', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_by', 'text', (c) => c.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('ended_by', 'text')
    .execute()
  await db.schema
    .createIndex('ai_sessions_newest')
    .on('ai_sessions')
    .columns(['unit_id', 'started_ms'])
    .execute()
  await db.schema
    .createTable('ai_marks')
    .addColumn('session_id', 'text', (c) => c.notNull().references('ai_sessions.id').onDelete('cascade'))
    .addColumn('turn', 'integer', (c) => c.notNull())
    .addColumn('ts_ms', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('ai_marks_pkey', ['session_id', 'turn'])
    .execute()
}
