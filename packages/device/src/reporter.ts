/** Tells core what a device is: everything after a welcome, afterwards only what changed. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** Changes within this time travel together, so that a restless device stays far below core's message limit. */
const quietMs = 100

export interface Reporter {
  /** After a welcome: tells every field. */
  tellAll(): void
  /** Something may have changed: tells the difference at once, or when the quiet time since the last report is over. */
  tellChanges(): void
  /** The connection is gone: nothing is told until the next tellAll. */
  forget(): void
}

export interface ReporterOptions<Actual> {
  read: () => Actual
  /** False when it could not be sent. */
  send: (actual: Partial<Actual>) => boolean
  clock: Clock
}

/** The fields of `after` that differ from `before`; undefined when none does. A field that went away is not named. */
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
  let told: Actual | undefined
  let toldAtMs = Number.NEGATIVE_INFINITY
  let waiting: Timer | undefined

  function tell(): void {
    waiting = undefined
    if (told === undefined) return
    const actual = read()
    const difference = differenceOf(told, actual)
    if (difference === undefined) return
    toldAtMs = clock.monotonicMs()
    told = send(difference) ? actual : undefined
  }

  function forget(): void {
    clock.clearTimeout(waiting)
    waiting = undefined
    told = undefined
  }

  return {
    tellAll() {
      forget()
      const actual = read()
      toldAtMs = clock.monotonicMs()
      if (send(actual)) told = actual
    },
    tellChanges() {
      if (told === undefined || waiting !== undefined) return
      const waitMs = toldAtMs + quietMs - clock.monotonicMs()
      if (waitMs <= 0) tell()
      else waiting = clock.setTimeout(tell, waitMs)
    },
    forget,
  }
}
