// The ingest account of a customer with its mapping file, and the ingest server of each channel.
import type { Queries } from '../schema.ts'

export const name = '0066-ingest'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('ingest_accounts')
    .addColumn('inventory_id', 'text', (c) => c.primaryKey().references('inventories.id').onDelete('cascade'))
    .addColumn('password', 'text')
    .addColumn('default_server_id', 'text', (c) => c.references('devices.id').onDelete('set null'))
    .addColumn('mapping_name', 'text')
    .addColumn('mapping', 'text')
    .addColumn('mapping_ms', 'bigint')
    .execute()
  await db.schema
    .createTable('channel_ingests')
    .addColumn('channel_id', 'text', (c) => c.primaryKey().references('channels.id').onDelete('cascade'))
    .addColumn('server_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .execute()
}
