// Jobs of groups at a fixed time: one timer runs those that are due.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { everything } from '../../database/scope.ts'

export interface DueJobs {
  /** The first run is at the start, for what came due while core was down. */
  start(): void
  /** Waits for a run that is under way. */
  stop(): Promise<void>
}

interface Needs {
  clock: Clock
  log: Log
}

export const checkPeriodMs = 5000

/** The author of scheduled changes in the audit log. */
export const bySchedule = {
  userId: null,
  username: 'schedule',
  scope: everything,
  address: '',
  result: 'done',
} as const

export function createDueJobs(
  { clock, log }: Needs,
  jobs: Readonly<Record<string, () => Promise<void>>>,
): DueJobs {
  let timer: Timer | undefined
  let round: Promise<void> | undefined

  async function runAll(): Promise<void> {
    for (const [name, job] of Object.entries(jobs))
      await job().catch((error) => log.error({ err: error }, `groups: ${name} failed`))
  }
  const run = () => {
    round ??= runAll().finally(() => {
      round = undefined
    })
  }
  return {
    start() {
      run()
      timer = clock.setInterval(run, checkPeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
    },
  }
}
