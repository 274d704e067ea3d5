// One core at a time on a database of PostgreSQL: a lock of its server on a separate connection, which releases it when it ends.
import { hostname } from 'node:os'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { CannotStart } from '@backhaul/runtime/settings'
import type { Client } from 'pg'
import { databaseUnusable, nameOf } from './database.ts'

interface DatabaseLock {
  /** The address of this core, for the message to a second one. */
  announce(url: string): Promise<void>
  release(): Promise<void>
}

class DatabaseInUse extends CannotStart {
  constructor(url: string, holder: string) {
    super(
      `The database ${nameOf({ url })} is in use by another core (${holder}). Stop it, or name another database by DATABASE_URL.`,
    )
    this.name = 'DatabaseInUse'
  }
}

interface Needs {
  url: string
  clock: Clock
  log: Log
  /** The time that a predecessor may take to end. */
  waitMs: number
  /** The connection was lost, and another core has the database now: this one has to end at once. */
  onTaken: (error: DatabaseInUse) => void
}

const retryMs = 500
const checkMs = 5000
const answerWithinMs = 10_000
/** The server has to notice within half a minute that the machine of a core is gone. */
const keepalives =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4'

/** The key includes the schema, because several installations may share one database. */
const lockKey = '826255, hashtext(current_schema())'
const holderQuery = `
  select application_name as name from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = 826255 and objsubid = 2
    and objid::bigint = (hashtext(current_schema())::bigint & 4294967295)
    and pg_locks.database = (select oid from pg_database where datname = current_database())`

/** Throws DatabaseInUse while another core holds it. */
export async function lockDatabase({ url, clock, log, waitMs, onTaken }: Needs): Promise<DatabaseLock> {
  const self = `${process.pid}@${hostname().slice(0, 20)}`
  let address = ''
  const { default: pg } = await import('pg')
  let client: Client | undefined
  let timer: Timer | undefined
  let isReleased = false
  /** The client after a wait, in which another part of this may have replaced it. */
  const current = () => client
  const pause = () => new Promise<void>((resolve) => clock.setTimeout(resolve, retryMs))

  /** The holder's name, or undefined when this connection holds the lock now. */
  async function tryOn(candidate: Client): Promise<string | undefined> {
    const { rows } = await candidate.query(`select pg_try_advisory_lock(${lockKey}) as held`)
    if (rows[0].held === true) return undefined
    return (await candidate.query(holderQuery)).rows[0]?.name ?? ''
  }

  /** Takes the lock on a new connection within the time; waits longer for an old connection of this process. */
  async function take(withinMs: number): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
    })
    // The end follows each error, and is what counts.
    fresh.on('error', () => {})
    try {
      await fresh.connect()
      await fresh.query(keepalives)
      await publishHolder(fresh)
      const untilMs = clock.monotonicMs() + withinMs
      for (let holder = await tryOn(fresh); holder !== undefined; holder = await tryOn(fresh)) {
        const isOwn = holder.startsWith(`backhaul core ${self}`)
        if (!isOwn && clock.monotonicMs() >= untilMs) throw new DatabaseInUse(url, inWords(holder))
        await pause()
      }
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    client = fresh
    fresh.once('end', () => void retake())
  }

  async function publishHolder(on: Client): Promise<void> {
    await on.query(`select set_config('application_name', $1, false)`, [`backhaul core ${self} ${address}`])
  }

  async function retake(): Promise<void> {
    client = undefined
    while (!isReleased && !current()) {
      log.warn('connection that holds the database lost, reconnecting')
      try {
        await take(0)
        log.info('database held again')
      } catch (error) {
        if (error instanceof DatabaseInUse) return onTaken(error)
        await pause()
      }
    }
    if (isReleased) await current()?.end()
  }

  /** A connection that is dead without a close is ended, and made again. */
  function check(): void {
    const checked = client
    checked?.query('select 1').catch(() => checked.end().catch(() => {}))
  }

  await take(waitMs).catch((error) => {
    throw error instanceof DatabaseInUse ? error : databaseUnusable({ url }, error)
  })
  timer = clock.setInterval(check, checkMs)
  return {
    async announce(own) {
      address = own
      if (client) await publishHolder(client)
    },
    async release() {
      isReleased = true
      clock.clearInterval(timer)
      client?.removeAllListeners('end')
      await client?.end()
    },
  }
}

/** A process under another role has no name, as PostgreSQL hides it. */
function inWords(holder: string): string {
  const [, pid, host, address] = holder.match(/^backhaul core (\d+)@(\S*) ?(\S*)$/) ?? []
  if (pid === undefined) return holder || 'of another role'
  return [`process ${pid} on ${host}`, ...(address ? [address] : [])].join(', ')
}
