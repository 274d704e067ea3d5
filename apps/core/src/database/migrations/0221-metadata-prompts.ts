// The units whose uploads require metadata from users, and what they entered.
import type { Queries } from '../schema.ts'

export const name = '0221-metadata-prompts'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('metadata_prompts')
    .addColumn('unit_id', 'text', (c) => c.primaryKey().references('devices.id').onDelete('cascade'))
    .execute()
  await db.schema.alterTable('unit_uploads').addColumn('metadata', 'text').execute()
}
