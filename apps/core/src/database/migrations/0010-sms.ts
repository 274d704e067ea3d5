// The outbox takes SMS as well as e-mail.
import type { Queries } from '../schema.ts'

export const name = '0010-sms'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .alterTable('mails')
    .addColumn('kind', 'text', (c) => c.notNull().defaultTo('email'))
    .execute()
}
