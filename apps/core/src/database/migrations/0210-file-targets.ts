// File targets, the sendings of files to them, and the documents next to files.
import type { Queries } from '../schema.ts'

export const name = '0210-file-targets'

export async function up(db: Queries): Promise<void> {
  await db.schema.alterTable('channel_files').addColumn('document', 'text').execute()
  await db.schema
    .createTable('file_targets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('secret', 'text')
    .addColumn('sends_since_ms', 'bigint')
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('file_targets_name', ['inventory_id', 'name'])
    .execute()
  await db.schema
    .createTable('file_sendings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('target_id', 'text', (c) => c.notNull().references('file_targets.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.notNull())
    .addColumn('unit_id', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('due_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_by', 'text')
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('progress', 'text')
    .addColumn('reason', 'text')
    .addColumn('cause', 'text')
    .execute()
  await db.schema
    .createIndex('file_sendings_of_file')
    .on('file_sendings')
    .columns(['channel_id', 'unit_id', 'file_name'])
    .execute()
  await db.schema.createIndex('file_sendings_due').on('file_sendings').columns(['state', 'due_ms']).execute()
}
