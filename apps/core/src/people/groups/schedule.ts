// The clock of groups: one timer that looks for what has come due.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { everything } from '../../database/scope.ts'

export interface Schedule {
  /** The first look is at once, for what came due while core was down. */
  start(): void
  /** Waits for a look that is under way. */
  stop(): Promise<void>
}

interface Needs {
  clock: Clock
  log: Log
}

export const lookPeriodMs = 5000

/** Who did it, in the log of changes. */
export const bySchedule = {
  userId: null,
  username: 'schedule',
  scope: everything,
  address: '',
  result: 'done',
} as const

export function createSchedule({ clock, log }: Needs, looks: readonly (() => Promise<void>)[]): Schedule {
  let timer: Timer | undefined
  let round: Promise<void> | undefined

  async function lookAll(): Promise<void> {
    for (const look of looks)
      await look().catch((error) => log.error({ err: error }, 'due changes of groups not read'))
  }
  const lookSoon = () => {
    round ??= lookAll().finally(() => {
      round = undefined
    })
  }
  return {
    start() {
      lookSoon()
      timer = clock.setInterval(lookSoon, lookPeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
    },
  }
}
