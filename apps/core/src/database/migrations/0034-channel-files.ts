// Files of channels, as their servers report them.
import type { Queries } from '../schema.ts'

export const name = '0034-channel-files'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('channel_files')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('unit_id', 'text', (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('server_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('root_directory', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('modified_ms', 'bigint', (c) => c.notNull())
    .addColumn('is_transferring', 'integer', (c) => c.notNull())
    .addColumn('media', 'text')
    .addColumn('origin', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_files_pkey', ['channel_id', 'unit_id', 'file_name'])
    .execute()
  await db.schema
    .createIndex('channel_files_newest')
    .on('channel_files')
    .columns(['channel_id', 'modified_ms'])
    .execute()
  await db.schema.createIndex('channel_files_by_server').on('channel_files').column('server_id').execute()
}
