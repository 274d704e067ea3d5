// A row that is rewritten from time to time: whether the database can still store anything.

import { blobType } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0082-write-checks'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('write_checks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('checked_ms', 'bigint', (c) => c.notNull())
    .addColumn('filler', blobType(db) as never, (c) => c.notNull())
    .execute()
}
