// Fresh databases for tests, on every engine that this machine offers.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from './database.ts'
import type { Engine } from './dialect.ts'
import type { Database } from './schema.ts'
import { startThread, type Threads } from './sqlite-thread.ts'

export interface TestDatabase {
  db: Database
  remove(): Promise<void>
}

const url = process.env.TEST_DATABASE_URL

/** Set by `npm run test:nightly`. */
export const isNightly = Boolean(process.env.TEST_NIGHTLY)

/** For `describe.each(engines)`: PostgreSQL is among them when TEST_DATABASE_URL names a server. */
export const engines: readonly Engine[] = url ? ['sqlite', 'postgres'] : ['sqlite']

/** For tests of rules whose statements other tests run on PostgreSQL too: on both engines at night, else on SQLite alone. */
export const enginesOfNight: readonly Engine[] = isNightly ? engines : ['sqlite']

if (!url) console.info('PostgreSQL left out: TEST_DATABASE_URL is not set')

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

async function openOnServer(name: string): Promise<Database> {
  const place = new URL(url ?? '')
  place.pathname = `/${name}`
  return await openDatabase({ url: place.href })
}

/** Kept until the server ends, which is started for one run only. */
async function preparedTemplate(prepare: (db: Database) => Promise<void>): Promise<string> {
  const name = newName('template')
  await onServer(`create database ${name}`)
  const db = await openOnServer(name)
  await prepare(db)
  await db.destroy()
  return name
}

async function openCopy(template: string): Promise<TestDatabase> {
  const name = newName('test')
  await onServer(`create database ${name} template ${template}`)
  const db = await openOnServer(name)
  return {
    db,
    remove: async () => {
      await db.destroy()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
