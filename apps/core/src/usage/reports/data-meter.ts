// Adds up what every transmission sends, and stores it once a minute.
import { USAGE_SLICE_MS } from '@backhaul/contract/nouns/reports'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Events } from '../../world/events.ts'
import { addSentData, type SentData } from './usage-table.ts'

const writePeriodMs = 60_000

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
}

export function createDataMeter({ db, clock, log, events }: Needs) {
  let counted = new Map<string, SentData>()
  let timer: Timer | undefined
  let writing: Promise<void> = Promise.resolve()

  function add({ transmissionId, fromMs, bytes }: SentData): void {
    const key = `${transmissionId} ${fromMs}`
    const known = counted.get(key)
    if (known) known.bytes += bytes
    else counted.set(key, { transmissionId, fromMs, bytes })
  }

  events.on('unitUsed', ({ transmissionId, sentBytes }) => {
    if (transmissionId === null) return
    const fromMs = Math.floor(clock.nowMs() / USAGE_SLICE_MS) * USAGE_SLICE_MS
    add({ transmissionId, fromMs, bytes: sentBytes })
  })

  async function writeNow(): Promise<void> {
    const due = [...counted.values()]
    if (due.length === 0) return
    counted = new Map()
    try {
      await addSentData(
        db,
        due.map((sent) => ({ ...sent, bytes: Math.round(sent.bytes) })),
      )
    } catch (error) {
      for (const sent of due) add(sent)
      throw error
    }
  }

  /** Stores all counts; one run at a time. */
  function write(): Promise<void> {
    writing = writing.then(writeNow, writeNow)
    return writing
  }

  return {
    write,
    start() {
      timer = clock.setInterval(() => {
        write().catch((error) => log.error({ err: error }, 'sent data not stored'))
      }, writePeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await write()
    },
  }
}
