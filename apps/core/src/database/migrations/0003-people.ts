// Tables of user administration: earlier passwords, and organizations with the number of users they may have.
import type { Queries } from '../schema.ts'

export const name = '0003-people'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('past_passwords')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('changed_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('past_passwords_pkey', ['user_id', 'password_hash'])
    .execute()
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('external_uid', 'text', (c) => c.notNull())
    .addColumn('default_role', 'text')
    // Null: as many as there are.
    .addColumn('max_users', 'integer')
    .execute()
  await db.schema
    .createTable('organization_inventories')
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('organization_inventories_pkey', ['organization_id', 'inventory_id'])
    .execute()
}
