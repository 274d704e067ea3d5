// Fresh databases for tests, on every engine that this machine offers.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from './database.ts'
import type { Database } from './schema.ts'
import type { Engine } from './words.ts'

export interface TestDatabase {
  db: Database
  remove(): Promise<void>
}

const url = process.env.TEST_DATABASE_URL

/** For `describe.each(engines)`: PostgreSQL is among them when TEST_DATABASE_URL names a server. */
export const engines: readonly Engine[] = url ? ['sqlite', 'postgres'] : ['sqlite']

if (!url) console.info('PostgreSQL left out: TEST_DATABASE_URL is not set')

/** A migrated, empty database of its own: a file, or a schema on the server; `remove` leaves nothing behind. */
export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? await freshFile() : await freshSchema()
}

async function freshFile(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-test-'))
  const db = await openDatabase({ file: join(folder, 'backhaul.db') })
  return {
    db,
    remove: async () => {
      await db.destroy()
      rmSync(folder, { recursive: true })
    },
  }
}

async function freshSchema(): Promise<TestDatabase> {
  const schema = `test_${randomBytes(6).toString('hex')}`
  await onServer(`create schema ${schema}`)
  const place = new URL(url ?? '')
  place.searchParams.set('options', `-c search_path=${schema}`)
  const db = await openDatabase({ url: place.href })
  return {
    db,
    remove: async () => {
      await db.destroy()
      await onServer(`drop schema ${schema} cascade`)
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
