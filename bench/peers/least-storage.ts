/** The database of the least intake: one SQLite connection on a thread of its own, each list of rows in one transaction. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const database = new DatabaseSync(String(workerData))
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
// The columns and indexes of core (apps/core/src/database/migrations).
database.exec(`
  create table devices (id text primary key, kind text not null, inventory_id text not null, name text not null,
    comment text not null, product_type text not null, serial_number text not null, sw_version text not null,
    token_hash text not null unique, wanted text not null, wanted_revision bigint not null, details text not null,
    registered_ms bigint not null, unique (inventory_id, kind, name));
  create table group_units (group_id text not null, unit_id text not null references devices (id) on delete cascade,
    primary key (group_id, unit_id));
  create index group_units_unit on group_units (unit_id);
  create table device_states (device_id text primary key references devices (id) on delete cascade,
    report text not null, reported_ms bigint not null, last_seen_ms bigint not null);
  create table series_chunks (unit_id text not null, resolution_ms bigint not null, from_ms bigint not null,
    to_ms bigint not null, data blob not null, primary key (unit_id, resolution_ms, from_ms));`)

const statements = {
  devices: database.prepare('insert into devices values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  members: database.prepare('insert into group_units values (?, ?)'),
  states: database.prepare('insert or replace into device_states values (?, ?, ?, ?)'),
  chunks: database.prepare('insert or replace into series_chunks values (?, ?, ?, ?, ?)'),
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
