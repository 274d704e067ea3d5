// Telemetry: the figures of every unit over time - 1 s for 48 hours while it sends, 10 s for 30 days - and the graph; and
// those of the feeds of transceivers, which have two links: what comes in, and what is sent on.
//
// The cost, measured with six varying links (figures.test.ts holds the bounds): a row of a sending unit takes
// 24 bytes at 1 s and 47 bytes at 10 s in the database, a row of an idle one 15 bytes at 10 s. So 48 hours of a unit that
// sends without a pause are about 4 MB and 30 days of its 10 s about 12 MB; an idle unit needs 4 MB for its 30 days, and
// 3,000 of them about 12 GB. A crash of core loses at most the last minute of seconds and 5 minutes of 10 s.
import type { ServerTelemetry, UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import type { FeedPoint } from '@backhaul/contract/nouns/feeds'
import type { GraphPoint } from '@backhaul/contract/nouns/modems'
import { serverTypeOf } from '@backhaul/contract/nouns/servers'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Events } from '../../world/events.ts'
import type { Channels } from '../channels/channels.ts'
import type { Units } from '../units/units.ts'
import { type Figures, SECOND_MS, TEN_SECONDS_MS } from './chunk.ts'
import {
  feedPointOf,
  figuresOfFeed,
  figuresOfSample,
  type GraphRange,
  graphFrom,
  graphOf,
} from './figures.ts'
import { SeriesInTurns, TURN_MS } from './series-in-turns.ts'
import { feedChunks, type SeriesTable, unitChunks } from './series-table.ts'
import type { UnitSeries } from './unit-series.ts'

export const KEPT_MS = { [SECOND_MS]: 48 * 3_600_000, [TEN_SECONDS_MS]: 30 * 24 * 3_600_000 } as const

const forgetPeriodMs = 600_000
/** A unit's clock is trusted until it is off by more than the delay to core can explain. */
const clockErrorMs = 2000

export interface Telemetry {
  /** Throws NotFound for a unit outside the caller's scope. */
  graph(scope: Scope, unitId: string, range: GraphRange): Promise<GraphPoint[]>
  /** Throws NotFound for a channel outside the caller's scope; empty for one of another server than a transceiver. */
  feedGraph(scope: Scope, channelId: string, range: GraphRange): Promise<FeedPoint[]>
  start(): void
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  channels: Channels
  units: Units
}

interface Measured {
  series: UnitSeries
  clockOffsetMs: number
  /** Packets lost permanently since the transmission began, at the last sample. */
  uncorrected: number
}

/** The series of a unit or a feed: what is growing, and how the rest is read. */
interface Kept {
  id: string
  series: UnitSeries | undefined
  read: SeriesTable['read']
}

export function createTelemetry({ db, clock, log, events, channels, units }: Needs): Telemetry {
  const measured = new Map<string, Measured>()
  const ofUnits = new SeriesInTurns()
  const ofFeeds = new SeriesInTurns()
  let timers: Timer[] = []
  let writing: Promise<void> | undefined

  function of(unitId: string): Measured {
    const known = measured.get(unitId)
    if (known) return known
    const fresh: Measured = { series: ofUnits.of(unitId), clockOffsetMs: 0, uncorrected: 0 }
    measured.set(unitId, fresh)
    return fresh
  }

  function take(unitId: string, { samples }: UnitTelemetry): void {
    const unit = of(unitId)
    const newest = samples.at(-1)
    if (!newest) return
    const offsetMs = clock.nowMs() - newest.ts
    if (Math.abs(offsetMs - unit.clockOffsetMs) > clockErrorMs)
      unit.clockOffsetMs = Math.abs(offsetMs) > clockErrorMs ? offsetMs : 0
    const dropped = droppedSince(unit, unitId)
    for (const sample of samples) {
      const isNewest = sample === newest
      const ts = Math.round(sample.ts + unit.clockOffsetMs)
      unit.series.add(figuresOfSample(sample, ts, isNewest ? dropped : 0))
    }
  }

  /** The packets that the server could not repair since the last sample; a new transmission counts from zero. */
  function droppedSince(unit: Measured, unitId: string): number {
    const transmission = units.kept(unitId)?.transmission
    const total = transmission ? (channels.telemetry(transmission.channelId)?.uncorrected ?? 0) : 0
    const dropped = total < unit.uncorrected ? total : total - unit.uncorrected
    unit.uncorrected = total
    return dropped
  }

  function takeFeeds(serverId: string, message: ServerTelemetry): void {
    for (const telemetry of message.channels) {
      const feed = channels.known(telemetry.channelId)
      if (feed?.serverId !== serverId || serverTypeOf(feed.serverProductType) !== 'transceiver_server')
        continue
      ofFeeds.of(feed.uniqueId).add(figuresOfFeed(telemetry, clock.nowMs()))
    }
  }

  events.on('device:telemetry', ({ deviceId, message }) => take(deviceId, message))
  events.on('device:serverTelemetry', ({ deviceId, message }) => takeFeeds(deviceId, message))

  events.on('deviceRemoved', ({ deviceId }) => {
    measured.delete(deviceId)
    ofUnits.delete(deviceId)
  })
  events.on('channelChanged', ({ channelId }) => {
    if (!channels.known(channelId)) ofFeeds.delete(channelId)
  })

  async function write(which: 'due' | 'unwritten'): Promise<void> {
    const nowMs = clock.nowMs()
    const [unitsDue, feedsDue] = [ofUnits[which](nowMs), ofFeeds[which](nowMs)]
    if (unitsDue.length > 0) await unitChunks.save(db, unitsDue)
    if (feedsDue.length > 0) await feedChunks.save(db, feedsDue)
    for (const { chunk, count } of [...unitsDue, ...feedsDue]) {
      chunk.writtenAtMs = nowMs
      chunk.writtenCount = count
    }
  }

  function turn(): void {
    writing ??= write('due')
      .catch((error) => log.error({ err: error }, 'telemetry not stored'))
      .finally(() => {
        writing = undefined
      })
  }

  async function forget(): Promise<void> {
    for (const resolution of [SECOND_MS, TEN_SECONDS_MS] as const)
      for (const chunks of [unitChunks, feedChunks])
        await chunks.forget(db, resolution, clock.nowMs() - KEPT_MS[resolution])
  }

  /** The stored figures, then the growing ones; an open chunk is in both, and counts once. */
  async function figures(
    { id, series, read }: Kept,
    resolution: typeof SECOND_MS | typeof TEN_SECONDS_MS,
    fromMs: number,
    toMs: number,
  ): Promise<Figures[]> {
    const growing = series?.figures(resolution) ?? []
    const written = await read(db, id, resolution, fromMs, toMs)
    const known = new Set(written.map(({ ts }) => ts))
    const rest = growing.filter(({ ts }) => ts > fromMs && ts <= toMs + resolution && !known.has(ts))
    return [...written, ...rest].sort((a, b) => a.ts - b.ts)
  }

  async function graphSince(kept: Kept, sinceMs: number, range: GraphRange): Promise<GraphPoint[]> {
    const [fromMs, toMs] = [Math.max(graphFrom(range), sinceMs), range.untilMs]
    const isFine = range.intervalMs < TEN_SECONDS_MS
    const seconds = isFine ? await figures(kept, SECOND_MS, fromMs, toMs) : []
    const tens = await figures(kept, TEN_SECONDS_MS, fromMs, toMs)
    return graphOf(range, seconds, tens, TEN_SECONDS_MS)
  }

  return {
    async graph(scope, unitId, range) {
      units.get(scope, unitId)
      const kept = { id: unitId, series: ofUnits.get(unitId), read: unitChunks.read }
      return await graphSince(kept, units.sinceMs(unitId), range)
    },
    async feedGraph(scope, channelId, range) {
      const { uniqueId: id } = channels.get(scope, channelId)
      const kept = { id, series: ofFeeds.get(id), read: feedChunks.read }
      return (await graphSince(kept, 0, range)).map(feedPointOf)
    },
    start() {
      timers = [
        clock.setInterval(turn, TURN_MS),
        clock.setInterval(() => {
          forget().catch((error) => log.error({ err: error }, 'old telemetry not deleted'))
        }, forgetPeriodMs),
      ]
    },
    async stop() {
      for (const timer of timers) clock.clearInterval(timer)
      await writing
      await write('unwritten')
    },
  }
}
