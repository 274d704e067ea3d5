// Checks whether core can work: read its database, and write to it.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { databaseFailureOf, tryToRead, tryToWrite } from '../database/database-failure.ts'
import type { Database } from '../database/schema.ts'
import type { Health } from '../doors/api/observability.ts'

/** The interval of writes; the last one counts for more frequent requests. */
const writePeriodMs = 5000
const answerWithinMs = 3000

const well: Health = { status: 'ok', database: 'ok', storage: 'ok' }
const away: Health = { status: 'failing', database: 'unreachable', storage: 'unknown' }
const full: Health = { status: 'failing', database: 'ok', storage: 'full' }

export function createHealth({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  let checkedMs = Number.NEGATIVE_INFINITY
  let last: Promise<Health> = Promise.resolve(well)

  /** Requests meanwhile get the same answer. */
  function write(): Promise<Health> {
    if (clock.monotonicMs() - checkedMs < writePeriodMs) return last
    checkedMs = clock.monotonicMs()
    last = tryToWrite(db, clock.nowMs()).then(
      () => well,
      (error) => {
        log.error({ err: error }, 'health: writing to the database failed')
        return databaseFailureOf(error) === 'storage' ? full : away
      },
    )
    return last
  }

  async function check(): Promise<Health> {
    try {
      await tryToRead(db)
    } catch (error) {
      log.error({ err: error }, 'health: reading the database failed')
      // A failure is checked again at the next request.
      checkedMs = Number.NEGATIVE_INFINITY
      return away
    }
    return await write()
  }

  return async (): Promise<Health> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Health>((resolve) => {
      timer = setTimeout(() => resolve(away), answerWithinMs)
    })
    try {
      return await Promise.race([check(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
