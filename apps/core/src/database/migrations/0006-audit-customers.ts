// The customers that a line of the audit log is about: that of the user who acted, that of the object, or both.
import { sql } from 'kysely'
import { appendOnly } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0006-audit-customers'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('audit_customers')
    .addColumn('line_id', 'text', (c) => c.notNull().references('audit.id'))
    .addColumn('inventory_id', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('of_thing', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_customers_key', ['line_id', 'inventory_id'] as never)
    .execute()
  await sql`insert into audit_customers (line_id, inventory_id, at_ms, of_thing)
    select id, inventory_id, at_ms, 1 from audit where inventory_id is not null`.execute(db)
  await sql`insert into audit_customers (line_id, inventory_id, at_ms, of_thing)
    select audit.id, user_inventories.inventory_id, at_ms, 0 from audit
    join user_inventories on user_inventories.user_id = audit.user_id
    join users on users.id = audit.user_id
    where audit.inventory_id is null and users.roles not like '%"super_user"%'`.execute(db)
  await db.schema
    .createIndex('audit_customers_by_inventory')
    .on('audit_customers')
    .columns(['inventory_id', 'at_ms', 'line_id'])
    .execute()
  await db.schema.createIndex('audit_newest').on('audit').columns(['at_ms', 'id']).execute()
  await db.schema.dropIndex('audit_by_at_ms').execute()
  await appendOnly(db, 'audit_customers')
}
