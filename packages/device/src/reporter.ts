/** Reports a device's state to core: everything after a welcome, afterwards only what changed. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** Changes within this time travel together, so that a restless device remains far below core's message limit. */
const quietMs = 100

export interface Reporter {
  /** After a welcome: reports every field. */
  reportAll(): void
  /** Something may have changed: reports the difference immediately, or when the quiet time since the last report is over. */
  reportChanges(): void
  /** The connection is lost: nothing is reported until the next reportAll. */
  forget(): void
}

export interface ReporterOptions<Actual> {
  read: () => Actual
  /** False when it could not be sent. */
  send: (actual: Partial<Actual>) => boolean
  clock: Clock
}

/** The fields of `after` that differ from `before`; undefined when none does. A removed field is not named. */
export function differenceOf<Actual extends object>(
  before: Actual,
  after: Actual,
): Partial<Actual> | undefined {
  const names = Object.keys(after) as (keyof Actual)[]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Actual>
}

export function createReporter<Actual extends object>({
  read,
  send,
  clock,
}: ReporterOptions<Actual>): Reporter {
  let reported: Actual | undefined
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let waiting: Timer | undefined

  function reportDifference(): void {
    waiting = undefined
    if (reported === undefined) return
    const actual = read()
    const difference = differenceOf(reported, actual)
    if (difference === undefined) return
    reportedAtMs = clock.monotonicMs()
    reported = send(difference) ? actual : undefined
  }

  function forget(): void {
    clock.clearTimeout(waiting)
    waiting = undefined
    reported = undefined
  }

  return {
    reportAll() {
      forget()
      const actual = read()
      reportedAtMs = clock.monotonicMs()
      if (send(actual)) reported = actual
    },
    reportChanges() {
      if (reported === undefined || waiting !== undefined) return
      const waitMs = reportedAtMs + quietMs - clock.monotonicMs()
      if (waitMs <= 0) reportDifference()
      else waiting = clock.setTimeout(reportDifference, waitMs)
    },
    forget,
  }
}
