// The data of an upload that continues after an interruption: its server, the file as it was at the start, since when it waits.
import type { Queries } from '../schema.ts'

export const name = '0090-upload-resuming'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .alterTable('unit_uploads')
    .addColumn('server_id', 'text', (c) => c.references('devices.id').onDelete('set null'))
    .execute()
  await db.schema.alterTable('unit_uploads').addColumn('modified_ms', 'bigint').execute()
  await db.schema.alterTable('unit_uploads').addColumn('waiting_since_ms', 'bigint').execute()
}
