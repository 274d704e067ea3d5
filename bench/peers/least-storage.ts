/**
 * The database of the least intake: one SQLite connection on a thread of its own, each list of rows in one transaction. The
 * file is a copy of core's, with its tables, indexes and triggers.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const database = new DatabaseSync(String(workerData), { enableForeignKeyConstraints: true })
database.exec('pragma journal_mode = wal; pragma synchronous = full')
database.exec(`
  insert into inventories (id, name, region, customer_id, sip_server, properties, created_ms)
    values ('in-1', 'Customer of the bench', '', '', '', '{}', 0);
  insert into groups (id, inventory_id, name, registration_key, unit_auto_association, global_auto_association, details, created_ms)
    values ('gr-1', 'in-1', 'Group', '', 0, 0, '{}', 0);`)

const insertInto = (table: string, columns: string, verb = 'insert') =>
  database.prepare(
    `${verb} into ${table} (${columns}) values (${columns
      .split(', ')
      .map(() => '?')
      .join(', ')})`,
  )
const statements = {
  devices: insertInto(
    'devices',
    'id, kind, inventory_id, name, comment, product_type, serial_number, sw_version, token_hash, wanted, wanted_revision, details, registered_ms',
  ),
  members: insertInto('group_units', 'group_id, unit_id'),
  histories: insertInto(
    'device_histories',
    'id, kind, action, device_id, device_name, target_id, target_name, at_ms',
  ),
  events: insertInto('unit_events', 'id, unit_id, at_ms, kind, data'),
  states: insertInto('device_states', 'device_id, report, reported_ms, last_seen_ms', 'insert or replace'),
  chunks: insertInto('series_chunks', 'unit_id, resolution_ms, from_ms, to_ms, data', 'insert or replace'),
}

/** Rows by the name of their statement: stored all or none. */
export interface Batch {
  id: number
  rows: Partial<Record<keyof typeof statements, SQLInputValue[][]>>
}

parentPort?.on('message', ({ id, rows }: Batch) => {
  database.exec('begin immediate')
  for (const [name, all] of Object.entries(rows))
    for (const row of all) statements[name as keyof typeof statements].run(...row)
  database.exec('commit')
  parentPort?.postMessage(id)
})
