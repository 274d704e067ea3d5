// Opens the system of record: SQLite in the data folder, or the PostgreSQL server that DATABASE_URL names.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotStart } from '@backhaul/runtime/settings'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { migrate } from './migrate.ts'
import { Precedence } from './precedence.ts'
import type { Database, Schema } from './schema.ts'
import { completeSearchIndexes } from './search.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { ownThreads, type Threads } from './sqlite-thread.ts'

/** The place of the rows: a file of our own, or a server, whose connections may outlive the database. */
export type DatabasePlace = { file: string; threads?: Threads } | { url: string; pool?: Pool }

const int8 = 20

/**
 * Opens and migrates; the caller ends it with `destroy()`. `onUnindexed` gets the reason when searches have no index and read
 * every row.
 */
export async function openDatabase(
  place: DatabasePlace,
  onUnindexed: (reason: string) => void = () => {},
): Promise<Database> {
  let db: Database | undefined
  try {
    db = new Kysely<Schema>({
      dialect: 'url' in place ? await postgresDialect(place) : fileDialect(place.file, place.threads),
    })
    await migrate(db)
    const reason = await completeSearchIndexes(db)
    if (reason !== undefined) onUnindexed(reason)
    return db
  } catch (error) {
    await db?.destroy()
    throw error instanceof CannotStart ? error : databaseUnusable(place, error)
  }
}

export const databaseUnusable = (place: DatabasePlace, error: unknown): Error =>
  new Error(`The database ${nameOf(place)} cannot be used: ${reasonOf(error)}`, { cause: error })

/** The name of a database for messages, without the password that a URL may carry. */
export const nameOf = (place: DatabasePlace): string =>
  'url' in place ? `at ${URL.parse(place.url)?.host}` : place.file

/** The text of an error; Node's own error has none where several addresses of a host fail. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string }
  return message || code || String(error)
}

function fileDialect(file: string, threads = ownThreads) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return sqliteDialect(file, threads)
}

const connections = 10
/** The rest is left to users while a fleet joins. */
const connectionsOfOthers = 6
const connectWithinMs = 10_000

/** The library is loaded where there is such a server. */
export async function openPool(url: string): Promise<Pool> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(int8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectWithinMs,
  })
  // An idle connection that the server drops must not end the process; the next query opens another.
  pool.on('error', () => {})
  return pool
}

async function postgresDialect({ url, pool: given }: { url: string; pool?: Pool }) {
  const pool = given ?? (await openPool(url))
  const owners = new Precedence(connections, connectionsOfOthers)
  return new PostgresDialect({
    pool: {
      options: pool.options,
      async connect() {
        const giveBack = await owners.enter(
          connectWithinMs,
          () => new Error('timeout: no connection is free'),
        )
        try {
          const client = await pool.connect()
          const release = client.release.bind(client)
          client.release = (error) => {
            release(error)
            giveBack()
          }
          return client
        } catch (error) {
          giveBack()
          throw error
        }
      },
      end: async () => {
        if (!given) await pool.end()
      },
    },
  })
}
