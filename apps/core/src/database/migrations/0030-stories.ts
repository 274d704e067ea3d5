// Stories of customers, and the units that are sent out for them.

import { indexByName } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0030-stories'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('stories')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addColumn('slugline', 'text', (c) => c.notNull())
    .addColumn('crew_name', 'text', (c) => c.notNull())
    .addColumn('usage_terms', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('reporter', 'text', (c) => c.notNull())
    .addColumn('keywords', 'text', (c) => c.notNull())
    .addColumn('comments', 'text', (c) => c.notNull())
    .addColumn('modified_ms', 'bigint', (c) => c.notNull())
    .execute()
  await indexByName(db, 'stories', 'slugline', ['inventory_id'])
  await db.schema
    .createTable('story_units')
    .addColumn('story_id', 'text', (c) => c.notNull().references('stories.id').onDelete('cascade'))
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('turn', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('story_units_pkey', ['unit_id', 'story_id'])
    .execute()
  await db.schema.createIndex('story_units_of_story').on('story_units').column('story_id').execute()
}
