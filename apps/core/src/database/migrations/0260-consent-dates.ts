// The dates when users gave or withdrew each of their consents; the dates of those before are not known.
import type { Queries } from '../schema.ts'

export const name = '0260-consent-dates'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('consent_dates', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute()
}
