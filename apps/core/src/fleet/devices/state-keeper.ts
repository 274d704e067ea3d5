// Stores the last known state of devices in small batches, so that core knows the fleet immediately after a crash.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { saveStates } from './device-table.ts'

const turnMs = 2000
/** Mere figures are written in every turn for a part of the fleet, for each device once a minute, as its seconds are. */
const turnsPerRound = 30

export interface StateKeeper {
  /** The report is read when it is stored: each device has one, which it changes. */
  keep(deviceId: string, report: object, when: 'soon' | 'later'): void
  /** The device was deleted: nothing of it is stored from here on. */
  forget(deviceId: string): void
  start(): void
  /** Stores everything that is pending. */
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  lastSeenMs: (deviceId: string) => number
}

type Report = [deviceId: string, report: object]

export function createStateKeeper({ db, clock, log, lastSeenMs }: Needs): StateKeeper {
  const soon = new Map<string, object>()
  const later = new Map<string, object>()
  const gone = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let timer: Timer | undefined

  async function write(reports: readonly Report[]): Promise<void> {
    if (reports.length === 0) return
    try {
      await saveStates(
        db,
        reports.map(([deviceId, report]) => ({ deviceId, report, lastSeenMs: lastSeenMs(deviceId) })),
      )
    } catch (error) {
      log.error({ err: error, devices: reports.length }, 'device states not stored')
      for (const [id, report] of reports) if (!soon.has(id) && !gone.has(id)) later.set(id, report)
    }
  }

  /** The turn's share; one write at a time, so a slow disk makes the turns longer, not the queue. */
  function share(laterAtMost: number): Report[] {
    const reports = [...soon]
    soon.clear()
    for (const one of later) {
      if (reports.length >= laterAtMost) break
      reports.push(one)
      later.delete(one[0])
    }
    return reports
  }

  let isBusy = false
  function turn(): void {
    if (isBusy) return
    isBusy = true
    const reports = share(Math.max(20, Math.ceil(later.size / turnsPerRound)))
    writing = write(reports).finally(() => {
      isBusy = false
    })
  }

  return {
    keep(deviceId, report, when) {
      if (when === 'soon') {
        later.delete(deviceId)
        soon.set(deviceId, report)
      } else if (!later.has(deviceId) && !soon.has(deviceId)) later.set(deviceId, report)
    },
    forget(deviceId) {
      gone.add(deviceId)
      soon.delete(deviceId)
      later.delete(deviceId)
    },
    start() {
      timer = clock.setInterval(turn, turnMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await writing
      await write(share(Number.POSITIVE_INFINITY))
    },
  }
}
