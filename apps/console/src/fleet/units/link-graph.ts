// The modem graph as numbers: 360 points of 5 s, first read from the kept series, then grown from live figures.
import { GRAPH_INTERVAL_MS, GRAPH_POINTS, type GraphPoint } from '@backhaul/contract/nouns/modems'
import type { Unit } from '@backhaul/contract/nouns/units'

type Sampled = Pick<Unit, 'modems' | 'uplink'>

/** Live figures of one interval while it lasts. */
export interface Gathering {
  samples: number
  links: Map<number, { kbps: number; rttMs: number; rtts: number; lossPercent: number }>
  encoderKbps: number | null
  capacityKbps: number | null
  droppedBefore: number
  droppedNow: number
}

export function beginInterval(droppedPackets: number): Gathering {
  return {
    samples: 0,
    links: new Map(),
    encoderKbps: null,
    capacityKbps: null,
    droppedBefore: droppedPackets,
    droppedNow: droppedPackets,
  }
}

export function gather(into: Gathering, unit: Sampled): void {
  into.samples += 1
  for (const modem of unit.modems) {
    const link = into.links.get(modem.port) ?? { kbps: 0, rttMs: 0, rtts: 0, lossPercent: 0 }
    link.kbps += modem.connected && modem.enabled ? modem.uplinkKbps : 0
    link.lossPercent += modem.lossPercent
    if (modem.rttMs !== null) {
      link.rttMs += modem.rttMs
      link.rtts += 1
    }
    into.links.set(modem.port, link)
  }
  into.encoderKbps = unit.uplink?.encoderKbps ?? null
  into.capacityKbps = unit.uplink?.capacityKbps ?? null
  into.droppedNow = unit.uplink?.droppedPackets ?? into.droppedNow
}

/** The point of a finished interval: means of its samples; undefined when there are none. */
export function endInterval(gathered: Gathering, ts: number): GraphPoint | undefined {
  const { samples } = gathered
  if (samples === 0) return undefined
  return {
    ts,
    links: [...gathered.links].map(([port, { kbps, rttMs, rtts, lossPercent }]) => ({
      port,
      kbps: kbps / samples,
      rttMs: rtts === 0 ? null : rttMs / rtts,
      lossPercent: lossPercent / samples,
    })),
    encoderKbps: gathered.encoderKbps,
    capacityKbps: gathered.capacityKbps,
    droppedPackets: Math.max(0, gathered.droppedNow - gathered.droppedBefore),
  }
}

/** Adds a point, drops what is older than the window of 360 points. */
export const grown = (points: readonly GraphPoint[], point: GraphPoint): GraphPoint[] =>
  [...points, point].filter(({ ts }) => ts > point.ts - GRAPH_POINTS * GRAPH_INTERVAL_MS)

export const portsOf = (points: readonly GraphPoint[]): number[] =>
  [...new Set(points.flatMap(({ links }) => links.map(({ port }) => port)))].sort((a, b) => a - b)

export interface Columns {
  /** s since 1970, as the chart wants it */
  times: number[]
  /** One column a port: the top edge of its band, in Mbps, the first port at the bottom. */
  bands: (number | null)[][]
  encoderMbps: (number | null)[]
  capacityMbps: (number | null)[]
  dropped: (number | null)[]
  rttMs: (number | null)[][]
  lossPercent: (number | null)[][]
}

/** Columns for the chart; a hole in time longer than two intervals breaks every line. */
export function columnsOf(points: readonly GraphPoint[], ports: readonly number[]): Columns {
  const columns: Columns = {
    times: [],
    bands: ports.map(() => []),
    encoderMbps: [],
    capacityMbps: [],
    dropped: [],
    rttMs: ports.map(() => []),
    lossPercent: ports.map(() => []),
  }
  let before: number | undefined
  for (const point of points) {
    if (before !== undefined && point.ts - before > 2 * GRAPH_INTERVAL_MS)
      add(columns, before + GRAPH_INTERVAL_MS, undefined, ports)
    add(columns, point.ts, point, ports)
    before = point.ts
  }
  return columns
}

function add(columns: Columns, ts: number, point: GraphPoint | undefined, ports: readonly number[]): void {
  const mbps = (kbps: number | null | undefined) => (kbps == null ? null : kbps / 1000)
  columns.times.push(ts / 1000)
  columns.encoderMbps.push(mbps(point?.encoderKbps))
  columns.capacityMbps.push(mbps(point?.capacityKbps))
  columns.dropped.push(point && point.droppedPackets > 0 ? point.droppedPackets : null)
  let top = 0
  for (const [index, port] of ports.entries()) {
    const link = point?.links.find((one) => one.port === port)
    top += (link?.kbps ?? 0) / 1000
    columns.bands[index]?.push(point ? top : null)
    columns.rttMs[index]?.push(link?.rttMs ?? null)
    columns.lossPercent[index]?.push(link?.lossPercent ?? null)
  }
}

/** The top of the scale: it rises at once and comes down only after a minute without need, so that it does not jump. */
export interface HeldScale {
  max: number
  neededAtMs: number
}
const holdMs = 60_000

export function heldScale(before: HeldScale | undefined, highest: number, nowMs: number): HeldScale {
  const steps = [0.5, 1, 2, 4, 6, 8, 10, 15, 20, 30, 50, 100]
  const need = steps.find((step) => step >= highest * 1.05) ?? Math.ceil(highest / 50) * 50
  if (!before || need >= before.max) return { max: need, neededAtMs: nowMs }
  return nowMs - before.neededAtMs > holdMs ? { max: need, neededAtMs: nowMs } : before
}
