// The tables of the first release.
import { sql } from 'kysely'
import { appendOnly, blobType } from '../dialect.ts'
import type { Queries } from '../schema.ts'

export const name = '0001-first-tables'

export async function up(db: Queries): Promise<void> {
  await customers(db)
  await people(db)
  await devices(db)
  await transmissions(db)
  await records(db)
}

async function customers(db: Queries): Promise<void> {
  await db.schema
    .createTable('inventories')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('parent_id', 'text', (c) => c.references('inventories.id'))
    .addColumn('region', 'text', (c) => c.notNull())
    .addColumn('customer_id', 'text', (c) => c.notNull())
    .addColumn('sip_server', 'text', (c) => c.notNull())
    .addColumn('cloud_provider', 'text')
    .addColumn('properties', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('groups')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('registration_key', 'text', (c) => c.notNull().unique())
    .addColumn('unit_auto_association', 'integer', (c) => c.notNull())
    .addColumn('global_auto_association', 'integer', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('groups_name', ['inventory_id', 'name'])
    .execute()
}

async function people(db: Queries): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('first_name', 'text', (c) => c.notNull())
    .addColumn('last_name', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('email_key', 'text', (c) => c.unique())
    .addColumn('user_type', 'text', (c) => c.notNull())
    .addColumn('roles', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('sso', 'integer', (c) => c.notNull())
    .addColumn('oda', 'integer', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('password_policy', 'text', (c) => c.notNull())
    .addColumn('password_changed_ms', 'bigint', (c) => c.notNull())
    .addColumn('password_expires_ms', 'bigint')
    .addColumn('contact', 'text', (c) => c.notNull())
    .addColumn('consents', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .execute()
  await membership(db, 'user_inventories', ['user_id', 'users'], ['inventory_id', 'inventories'])
  await membership(db, 'user_groups', ['user_id', 'users'], ['group_id', 'groups'])
  await db.schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('csrf_hash', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('agent', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sign_ins_user').on('sign_ins').column('user_id').execute()
  await db.schema
    .createTable('preferences')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('updated_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('client_notifications')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('is_global', 'integer', (c) => c.notNull())
    .addColumn('inventory_id', 'text', (c) => c.references('inventories.id').onDelete('cascade'))
    .addColumn('intervals', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint', (c) => c.notNull())
    .execute()
}

async function devices(db: Queries): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('comment', 'text', (c) => c.notNull())
    .addColumn('product_type', 'text', (c) => c.notNull())
    .addColumn('serial_number', 'text', (c) => c.notNull())
    .addColumn('sw_version', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('wanted', 'text', (c) => c.notNull())
    .addColumn('wanted_revision', 'bigint', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('registered_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('devices_name', ['inventory_id', 'kind', 'name'])
    .execute()
  await db.schema
    .createTable('device_states')
    .addColumn('device_id', 'text', (c) => c.primaryKey().references('devices.id').onDelete('cascade'))
    .addColumn('report', 'text', (c) => c.notNull())
    .addColumn('reported_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('channels')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('server_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('input_type', 'text')
    .addColumn('allocated_unit_id', 'text', (c) => c.references('devices.id').onDelete('set null'))
    .addColumn('session_id', 'text')
    .addColumn('allocated_ms', 'bigint')
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('channels_name', ['server_id', 'name'])
    .execute()
  await db.schema.createIndex('channels_inventory').on('channels').column('inventory_id').execute()
  await db.schema.createIndex('channels_unit').on('channels').column('allocated_unit_id').execute()
  await membership(db, 'group_units', ['group_id', 'groups'], ['unit_id', 'devices'])
  await db.schema.alterTable('group_units').addColumn('expires_ms', 'bigint').execute()
  await membership(db, 'group_channels', ['group_id', 'groups'], ['channel_id', 'channels'])
}

async function transmissions(db: Queries): Promise<void> {
  await db.schema
    .createTable('transmissions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('channel_id', 'text', (c) => c.references('channels.id').onDelete('set null'))
    .addColumn('group_id', 'text', (c) => c.references('groups.id').onDelete('set null'))
    .addColumn('inventory_id', 'text', (c) => c.notNull().references('inventories.id'))
    .addColumn('delay_ms', 'integer', (c) => c.notNull())
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_by', 'text')
    .addColumn('live_ms', 'bigint')
    .addColumn('stopped_ms', 'bigint')
    .addColumn('stopped_by', 'text')
    .addColumn('stop_reason', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'transmissions', ['unit_id', 'started_ms'])
  await db.schema
    .createTable('commands')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('device_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('args', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('user_id', 'text')
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_ms', 'bigint', (c) => c.notNull())
    .addColumn('deadline_ms', 'bigint', (c) => c.notNull())
    .execute()
  await index(db, 'commands', ['device_id', 'created_ms'])
  await index(db, 'commands', ['state'])
}

async function records(db: Queries): Promise<void> {
  await db.schema
    .createTable('unit_events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'unit_events', ['unit_id', 'at_ms'])
  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('severity', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('raised_ms', 'bigint', (c) => c.notNull())
    .addColumn('cleared_ms', 'bigint')
    .execute()
  await index(db, 'alerts', ['unit_id', 'raised_ms'])
  await index(db, 'alerts', ['cleared_ms'])
  await db.schema
    .createTable('series_chunks')
    .addColumn('unit_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('resolution_ms', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('data', blobType(db), (c) => c.notNull())
    .addPrimaryKeyConstraint('series_chunks_key', ['unit_id', 'resolution_ms', 'from_ms'])
    .execute()
  await index(db, 'series_chunks', ['resolution_ms', 'to_ms'])
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'text')
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('object_kind', 'text', (c) => c.notNull())
    .addColumn('object_id', 'text')
    .addColumn('inventory_id', 'text')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'audit', ['at_ms'])
  await index(db, 'audit', ['object_id', 'at_ms'])
  await appendOnly(db, 'audit')
  await db.schema
    .createTable('installation')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute()
}

/** A table of pairs, gone with either side, quick to read from both. */
async function membership(
  db: Queries,
  table: string,
  [left, leftTable]: [string, string],
  [right, rightTable]: [string, string],
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn(left, 'text', (c) => c.notNull().references(`${leftTable}.id`).onDelete('cascade'))
    .addColumn(right, 'text', (c) => c.notNull().references(`${rightTable}.id`).onDelete('cascade'))
    .addPrimaryKeyConstraint(`${table}_key`, [left, right] as never)
    .execute()
  await index(db, table, [right])
}

async function index(db: Queries, table: string, columns: string[]): Promise<void> {
  await sql`create index ${sql.ref(`${table}_by_${columns.join('_')}`)} on ${sql.table(table)}
    (${sql.join(columns.map((column) => sql.ref(column)))})`.execute(db)
}
