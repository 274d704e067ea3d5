// From samples to figures, and from many figures to one: means, least and most. Pure.
import type { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import type { LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'
import { type FeedPoint, uplinkKbps } from '@backhaul/contract/nouns/feeds'
import type { GraphPoint } from '@backhaul/contract/nouns/modems'
import type { Figures, LinkFigures, SecondFigures, SecondLink } from './chunk.ts'

export function figuresOfSample(sample: UnitSample, ts: number, droppedPackets: number): SecondFigures {
  return {
    ts,
    encoderKbps: sample.encoderKbps,
    capacityKbps: sample.capacityKbps,
    droppedPackets,
    batteryPercent: sample.battery?.percentage ?? null,
    lat: sample.location?.lat ?? null,
    lng: sample.location?.lng ?? null,
    links: linksOf(sample.links),
  }
}

/** The links themselves as long as all are up and in order of port, as units report them. */
function linksOf(links: readonly LinkTelemetry[]): readonly SecondLink[] {
  let before = -1
  for (const { port, up } of links) {
    if (!up || port < before) return links.map(linkOf).sort((one, other) => one.port - other.port)
    before = port
  }
  return links
}

/** A link that is down carries nothing and has no round trip. */
const linkOf = (link: LinkTelemetry): SecondLink =>
  link.up ? link : { port: link.port, kbps: 0, rttMs: null, lossPercent: 0 }

/** The links of a feed, by the port under which their figures are stored. */
const feedPorts = { down: 1, up: 2 } as const

export function figuresOfFeed({ kbps, outputs }: ChannelTelemetry, ts: number): SecondFigures {
  const feedLink = (port: number, rate: number): SecondLink => ({
    port,
    kbps: rate,
    rttMs: null,
    lossPercent: 0,
  })
  return {
    ts,
    encoderKbps: null,
    capacityKbps: null,
    droppedPackets: 0,
    batteryPercent: null,
    lat: null,
    lng: null,
    links: [feedLink(feedPorts.down, kbps), feedLink(feedPorts.up, uplinkKbps({ outputs }) ?? 0)],
  }
}

export function feedPointOf({ ts, links }: GraphPoint): FeedPoint {
  const rateOf = (port: number) => links.find((link) => link.port === port)?.kbps ?? 0
  return { ts, downlinkKbps: rateOf(feedPorts.down), uplinkKbps: rateOf(feedPorts.up) }
}

/** One interval out of several shorter ones; `parts` is not empty and in order of time. */
export function merged(parts: readonly Figures[], ts: number): Figures {
  const last = parts.at(-1) as Figures
  const linksByPort = Map.groupBy(
    parts.flatMap(({ links }) => links),
    ({ port }) => port,
  )
  return {
    ts,
    encoderKbps: mean(parts.map(({ encoderKbps }) => encoderKbps)),
    capacityKbps: mean(parts.map(({ capacityKbps }) => capacityKbps)),
    droppedPackets: parts.reduce((sum, { droppedPackets }) => sum + droppedPackets, 0),
    batteryPercent: last.batteryPercent,
    lat: last.lat,
    lng: last.lng,
    links: [...linksByPort].sort(([a], [b]) => a - b).map(([port, links]) => mergedLink(port, links)),
  }
}

function mergedLink(port: number, links: readonly LinkFigures[]): LinkFigures {
  const trips = links.flatMap(({ rttMaxMs }) => (rttMaxMs === null ? [] : [rttMaxMs]))
  return {
    port,
    kbps: mean(links.map(({ kbps }) => kbps)) ?? 0,
    kbpsMin: Math.min(...links.map(({ kbpsMin }) => kbpsMin)),
    kbpsMax: Math.max(...links.map(({ kbpsMax }) => kbpsMax)),
    rttMs: mean(links.map(({ rttMs }) => rttMs)),
    rttMaxMs: trips.length === 0 ? null : Math.max(...trips),
    lossPercent: mean(links.map(({ lossPercent }) => lossPercent)) ?? 0,
    lossMaxPercent: Math.max(...links.map(({ lossMaxPercent }) => lossMaxPercent)),
  }
}

function mean(values: readonly (number | null)[]): number | null {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (value === null) continue
    sum += value
    count++
  }
  return count === 0 ? null : sum / count
}

export interface GraphRange {
  points: number
  intervalMs: number
  untilMs: number
}

/** The first moment of the graph; its points end at whole intervals. */
export const graphFrom = ({ points, intervalMs, untilMs }: GraphRange): number =>
  Math.floor(untilMs / intervalMs) * intervalMs - points * intervalMs

/**
 * The points of the range with data, oldest first. Figures of 10 s fill in where there are none of 1 s;
 * their dropped packets count once, in the last point that they cover.
 */
export function graphOf(
  range: GraphRange,
  seconds: readonly Figures[],
  tens: readonly Figures[],
  tensMs: number,
): GraphPoint[] {
  const { points, intervalMs } = range
  const fromMs = graphFrom(range)
  const slotOf = (ts: number) => Math.ceil((ts - fromMs) / intervalMs) - 1
  const parts: Figures[][] = Array.from({ length: points }, () => [])
  for (const figures of seconds) parts[slotOf(figures.ts)]?.push(figures)
  const isFine = parts.map((fine) => fine.length > 0)
  for (const figures of tens) {
    const last = slotOf(figures.ts)
    for (let slot = slotOf(figures.ts - tensMs + 1); slot <= last; slot++) {
      if (isFine[slot]) continue
      parts[slot]?.push(slot === last ? figures : { ...figures, droppedPackets: 0 })
    }
  }
  return parts.flatMap((some, slot) =>
    some.length === 0 ? [] : [pointOf(merged(some, fromMs + (slot + 1) * intervalMs))],
  )
}

const tenths = (value: number): number => Math.round(value * 10) / 10
const whole = (value: number | null): number | null => (value === null ? null : Math.round(value))

const pointOf = ({ ts, links, encoderKbps, capacityKbps, droppedPackets }: Figures): GraphPoint => ({
  ts,
  links: links.map(({ port, kbps, rttMs, lossPercent }) => ({
    port,
    kbps: Math.round(kbps),
    rttMs: whole(rttMs),
    lossPercent: tenths(lossPercent),
  })),
  encoderKbps: whole(encoderKbps),
  capacityKbps: whole(capacityKbps),
  droppedPackets,
})
