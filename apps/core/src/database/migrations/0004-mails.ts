// E-mail that waits for a mail server, and its result.
import type { Queries } from '../schema.ts'

export const name = '0004-mails'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.references('inventories.id').onDelete('cascade'))
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('fault', 'text', (c) => c.notNull())
    .addColumn('due_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('sent_ms', 'bigint')
    .execute()
  await db.schema.createIndex('mails_by_state').on('mails').columns(['state', 'due_ms']).execute()
  await db.schema
    .createIndex('mails_by_inventory')
    .on('mails')
    .columns(['inventory_id', 'created_ms'])
    .execute()
}
