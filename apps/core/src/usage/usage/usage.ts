// The usage of units: counted here once, from their samples, for both usage reports and usage profiles.
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import type { Link, UnitSample } from '@backhaul/contract/gateway/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { Events } from '../../world/events.ts'

interface Needs {
  clock: Clock
  events: Events
  units: Units
  transmissions: Transmissions
}

const none: readonly Link[] = []

/** Emits what each message of figures adds to the use of its unit. */
export function countUsage({ clock, events, units, transmissions }: Needs): void {
  /** By unit: when its newest sample was taken, by its own clock. */
  const sampledMs = new Map<string, number>()

  /** A unit reports its links once and its figures each second. */
  const portsOfModems = new WeakMap<readonly Link[], ReadonlySet<number>>()

  function modemsOf(links: readonly Link[]): ReadonlySet<number> {
    const known = portsOfModems.get(links)
    if (known) return known
    const modems = new Set(links.flatMap(({ kind, port }) => (kind === 'modem' ? [port] : [])))
    portsOfModems.set(links, modems)
    return modems
  }

  function take(unitId: string, { samples }: UnitTelemetry): void {
    const unit = units.kept(unitId)
    const before = sampledMs.get(unitId)
    const newest = samples.at(-1)
    if (!unit || !newest) return
    sampledMs.set(unitId, newest.ts)
    const modems = modemsOf(units.memory(unitId)?.actual.links ?? none)
    const used = usedIn(samples, { before, intervalMs: unit.reportIntervalMs, modems })
    const nowMs = clock.nowMs()
    const { id = null, liveMs = null } = transmissions.running(unitId) ?? {}
    events.emit('unitUsed', {
      unitId,
      transmissionId: id,
      sentBytes: used.sentBytes,
      modemBytes: used.modemBytes,
      // There is nothing to view without a picture at the server.
      streamingMs: liveMs === null ? 0 : Math.min(used.spanMs, sinceThen(liveMs, nowMs)),
    })
  }

  events.on('device:telemetry', ({ deviceId, message }) => take(deviceId, message))
}

/** A time in the future was recorded before the clock was set back: long enough ago. */
const sinceThen = (ms: number, nowMs: number): number => (ms > nowMs ? Number.POSITIVE_INFINITY : nowMs - ms)

interface Measure {
  /** The time of the sample before the first. */
  before: number | undefined
  /** The interval at which the unit sends samples. */
  intervalMs: number
  /** Ports of the links that cost money. */
  modems: ReadonlySet<number>
}

/** The sum of samples in their order: sent over all links, both directions over modems, and the time they cover. */
export function usedIn(samples: readonly UnitSample[], { before, intervalMs, modems }: Measure) {
  let [sentBytes, modemBytes, spanMs] = [0, 0, 0]
  const [first, second] = samples
  // The start of the very first is unknown: as long as the next, or a usual interval.
  let last = before ?? (first?.ts ?? 0) - (first && second ? second.ts - first.ts : intervalMs)
  for (const { ts, links } of samples) {
    const ms = lasted(ts, last, intervalMs)
    for (const { up, port, kbps, downKbps } of links) {
      if (!up) continue
      // 1 kbps for 1 ms is one bit.
      sentBytes += (kbps * ms) / 8
      if (modems.has(port)) modemBytes += ((kbps + downKbps) * ms) / 8
    }
    spanMs += ms
    last = ts
  }
  return { sentBytes, modemBytes, spanMs }
}

/** The time that a sample covers: since the one before, but not longer than two usual intervals. */
const lasted = (ts: number, before: number, intervalMs: number): number =>
  Math.min(Math.max(ts - before, 0), 2 * intervalMs)
