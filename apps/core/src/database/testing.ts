// Fresh databases for tests, on every engine that this machine offers.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase, openPool } from './database.ts'
import type { Engine } from './dialect.ts'
import type { Database, InventoryRow } from './schema.ts'
import { startThread, type Threads } from './sqlite-thread.ts'

export interface TestDatabase {
  db: Database
  remove(): Promise<void>
}

const url = process.env.TEST_DATABASE_URL

/** Set by `npm run test:nightly`. */
export const isNightly = Boolean(process.env.TEST_NIGHTLY)

/** The engines for `describe.each(engines)`: PostgreSQL is one of them when TEST_DATABASE_URL names a server. */
export const engines: readonly Engine[] = url ? ['sqlite', 'postgres'] : ['sqlite']

/** For tests of rules whose statements other tests run on PostgreSQL too: on both engines at night, else on SQLite alone. */
export const enginesOfNight: readonly Engine[] = isNightly ? engines : ['sqlite']

if (!url) console.info('PostgreSQL left out: TEST_DATABASE_URL is not set')

/** A customer's row; its name is its id unless `more` has another. */
export function inventoryRow(id: string, more: Partial<InventoryRow> = {}): InventoryRow {
  return {
    id,
    name: id,
    parent_id: null,
    region: '',
    customer_id: '',
    sip_server: '',
    cloud_provider: null,
    properties: '{}',
    created_ms: 1_800_000_000_000,
    ...more,
  }
}

/** A migrated, empty database of its own, a file or one on the server; `remove` leaves nothing behind. */
export const freshDatabase = preparedDatabases(async () => {})

/** Makes databases with the rows that `prepare` writes. It runs once for each engine; the result is copied. */
export function preparedDatabases(
  prepare: (db: Database) => Promise<void>,
): (engine: Engine) => Promise<TestDatabase> {
  let bytes: Promise<Buffer> | undefined
  let template: Promise<string> | undefined
  return async (engine) => {
    if (engine === 'sqlite') {
      bytes ??= preparedBytes(prepare)
      return await openFile(await bytes)
    }
    template ??= preparedTemplate(prepare)
    return await openCopy(await template)
  }
}

/** The threads of a closed database serve the next: to start one costs more than to copy and open a database. */
const idleThreads: Worker[] = []
const sharedThreads: Threads = {
  take() {
    const worker = idleThreads.pop() ?? startThread()
    worker.ref()
    return worker
  },
  async giveBack(worker) {
    const hasEnded = worker.threadId < 0
    if (hasEnded) return
    worker.unref()
    idleThreads.push(worker)
  },
}

async function openFile(bytes?: Buffer): Promise<TestDatabase & { file: string }> {
  const folder = mkdtempSync(join(process.env.TEST_DATABASES || tmpdir(), 'backhaul-test-'))
  const file = join(folder, 'backhaul.db')
  if (bytes) writeFileSync(file, bytes)
  const db = await openDatabase({ file, threads: sharedThreads })
  return {
    db,
    file,
    remove: async () => {
      await db.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

async function preparedBytes(prepare: (db: Database) => Promise<void>): Promise<Buffer> {
  const { db, file, remove } = await openFile()
  await prepare(db)
  const copy = `${file}-copy`
  await sql`vacuum into ${copy}`.execute(db)
  const bytes = readFileSync(copy)
  await remove()
  return bytes
}

const newName = (kind: string) => `${kind}_${randomBytes(6).toString('hex')}`

function addressOf(name: string): string {
  const place = new URL(url ?? '')
  place.pathname = `/${name}`
  return place.href
}

/** Kept until the server ends, which is started for one run only. */
async function preparedTemplate(prepare: (db: Database) => Promise<void>): Promise<string> {
  const name = newName('template')
  await onServer(url, `create database ${name}`)
  const db = await openDatabase({ url: addressOf(name) })
  await prepare(db)
  await db.destroy()
  await onServer(addressOf(name), makeRestorable)
  return name
}

/** Keeps the rows of a template in it, with the function that restores a copy and answers how many rows it deleted. */
const makeRestorable = `
  create schema prepared;
  create function prepared.filled(wanted text) returns setof text language sql as $$
    select relname::text from pg_class
    where relnamespace = wanted::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  $$;
  do $$
  declare name text;
  begin
    for name in select prepared.filled('public') loop
      execute format('create table prepared.%I as table public.%I', name, name);
    end loop;
  end $$;
  create function prepared.restore() returns bigint language plpgsql
  -- Without triggers and foreign keys.
  set session_replication_role = replica as $$
  declare
    name text;
    deleted bigint;
    total bigint := 0;
  begin
    for name in select prepared.filled('public') loop
      execute format('delete from public.%I', name);
      get diagnostics deleted = row_count;
      total := total + deleted;
    end loop;
    for name in select prepared.filled('prepared') loop
      execute format('insert into public.%I table prepared.%I', name, name);
    end loop;
    return total;
  end $$;`

/** Its connections serve one test after the other: each new one would read the catalogues of the server again. */
interface Copy {
  name: string
  pool: pg.Pool
}

/** Copies that tests have given back, by their template; each is restored for the next test. */
const idleCopies = new Map<string, Copy[]>()

async function openCopy(template: string): Promise<TestDatabase> {
  const idle = idleCopies.get(template) ?? []
  idleCopies.set(template, idle)
  const copy = idle.pop() ?? (await copyOf(template))
  const db = await openDatabase({ url: addressOf(copy.name), pool: copy.pool })
  return {
    db,
    remove: async () => {
      await db.destroy()
      if (await isRestored(copy)) idle.push(copy)
      else await drop(copy)
    },
  }
}

async function copyOf(template: string): Promise<Copy> {
  const name = newName('test')
  await onServer(url, `create database ${name} template ${template}`)
  return { name, pool: await openPool(addressOf(name)) }
}

async function drop({ name, pool }: Copy): Promise<void> {
  void pool.end()
  await onServer(url, `drop database ${name} with (force)`)
}

/** Deleted rows remain in the files of a database and would slow down the next test. */
const mostDeleted = 1000
/** A statement that core began before it ended. */
const endsWithinMs = 5000

/** Waits for what is still under way, then restores the rows. */
async function isRestored({ pool }: Copy): Promise<boolean> {
  const endMs = Date.now() + endsWithinMs
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) {
    if (Date.now() > endMs) return false
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const { rows } = await pool.query('select prepared.restore()::int as deleted')
  return Number(rows[0]?.deleted) <= mostDeleted
}

async function onServer(at: string | undefined, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
