// Events of units: collected for a moment, stored together, deleted after a month.
import type { UnitEvent, UnitEventWhat } from '@backhaul/contract/nouns/unit-events'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { textIdAt } from '../../world/random-text.ts'
import {
  type EventPage,
  eventsOfUnit,
  forgetEvents,
  insertEvents,
  type NewUnitEvent,
} from './unit-event-table.ts'

const writePeriodMs = 1000
const forgetPeriodMs = 3_600_000
const keptMs = 30 * 24 * 3_600_000
const writtenTogether = 500
/** A storm of events, for instance a fleet that flaps, must not fill the memory. */
const waitingAtMost = 50_000

export interface UnitEvents {
  add(unitId: string, kind: UnitEvent['kind'], what: UnitEventWhat, severity?: UnitEvent['severity']): void
  /** Nothing of the unit is stored from here on. */
  forget(unitId: string): void
  of(unitId: string, page: EventPage): Promise<UnitEvent[]>
  start(): void
  stop(): Promise<void>
}

export function createUnitEvents({ db, clock, log }: { db: Database; clock: Clock; log: Log }): UnitEvents {
  let waiting: NewUnitEvent[] = []
  let writing: Promise<void> = Promise.resolve()
  let isBusy = false
  let timers: Timer[] = []

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const events = waiting.slice(0, writtenTogether)
      waiting = waiting.slice(writtenTogether)
      await insertEvents(db, events)
    }
  }

  function turn(): Promise<void> {
    if (isBusy) return writing
    isBusy = true
    writing = write()
      .catch((error) => log.error({ err: error }, 'unit events not stored'))
      .finally(() => {
        isBusy = false
      })
    return writing
  }

  return {
    add(unitId, kind, what, severity = 'info') {
      if (waiting.length >= waitingAtMost) return
      const ts = clock.nowMs()
      waiting.push({ id: textIdAt(ts), unitId, ts, kind, severity, what })
    },
    forget(unitId) {
      waiting = waiting.filter((one) => one.unitId !== unitId)
    },
    async of(unitId, page) {
      await turn()
      return await eventsOfUnit(db, unitId, page)
    },
    start() {
      timers = [
        clock.setInterval(() => void turn(), writePeriodMs),
        clock.setInterval(() => {
          forgetEvents(db, clock.nowMs() - keptMs).catch((error) =>
            log.error(error, 'old unit events not deleted'),
          )
        }, forgetPeriodMs),
      ]
    },
    async stop() {
      for (const timer of timers) clock.clearInterval(timer)
      await turn()
      await turn()
    },
  }
}
