// Counts what every transmission sends, from the samples of its unit, and writes it down once a minute.
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import { USAGE_SLICE_MS } from '@backhaul/contract/nouns/reports'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Events } from '../../events.ts'
import type { Units } from '../units/units.ts'
import { addSentData, type SentData } from './usage-table.ts'

const writePeriodMs = 60_000

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  units: Units
}

export function createDataMeter({ db, clock, log, events, units }: Needs) {
  let counted = new Map<string, SentData>()
  /** By unit: when its newest sample was taken, by its own clock. */
  const sampledMs = new Map<string, number>()
  let timer: Timer | undefined
  let writing: Promise<void> = Promise.resolve()

  function add({ transmissionId, fromMs, bytes }: SentData): void {
    const key = `${transmissionId} ${fromMs}`
    const known = counted.get(key)
    if (known) known.bytes += bytes
    else counted.set(key, { transmissionId, fromMs, bytes })
  }

  function take(unitId: string, { samples }: UnitTelemetry): void {
    const unit = units.values(unitId)
    const before = sampledMs.get(unitId)
    const newest = samples.at(-1)
    if (newest) sampledMs.set(unitId, newest.ts)
    if (!unit?.transmission) return
    let bytes = 0
    let last = before
    for (const { ts, links } of samples) {
      const kbps = links.reduce((sum, link) => sum + (link.up ? link.kbps : 0), 0)
      bytes += (kbps * lasted(ts, last, unit.reportIntervalMs)) / 8
      last = ts
    }
    const fromMs = Math.floor(clock.nowMs() / USAGE_SLICE_MS) * USAGE_SLICE_MS
    add({ transmissionId: unit.transmission.id, fromMs, bytes })
  }

  events.on('deviceSaid', ({ deviceId, message }) => {
    if (message.type === 'telemetry') take(deviceId, message)
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

  /** Puts down all that is counted; one at a time. */
  function write(): Promise<void> {
    writing = writing.then(writeNow, writeNow)
    return writing
  }

  return {
    write,
    start() {
      timer = clock.setInterval(() => {
        write().catch((error) => log.error({ err: error }, 'sent data not written'))
      }, writePeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await write()
    },
  }
}

/** How long a sample speaks for: since the one before, but not longer than two usual intervals. */
function lasted(ts: number, before: number | undefined, intervalMs: number): number {
  if (before === undefined) return intervalMs
  return Math.min(Math.max(ts - before, 0), 2 * intervalMs)
}
