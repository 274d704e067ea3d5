// A stretch of one unit's figures: at 1 s while it transmits, at 10 s always, in rows of whole numbers.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { RowWriter, readRows } from './series-codec.ts'

export const SECOND_MS = 1000
export const TEN_SECONDS_MS = 10_000

/** One link over one interval. */
export interface LinkFigures {
  port: number
  kbps: number
  kbpsMin: number
  kbpsMax: number
  rttMs: number | null
  rttMaxMs: number | null
  lossPercent: number
  lossMaxPercent: number
}

/** A unit over one interval that ends at `ts`. */
export interface Figures {
  ts: number
  encoderKbps: number | null
  capacityKbps: number | null
  droppedPackets: number
  batteryPercent: number | null
  lat: number | null
  lng: number | null
  links: LinkFigures[]
}

/** One link in one second, in which the least, the mean and the most are one value: as it is in the sample. */
export type SecondLink = Pick<LinkFigures, 'port' | 'kbps' | 'rttMs' | 'lossPercent'>

/** A unit in the second that ends at `ts`. */
export interface SecondFigures extends Omit<Figures, 'links'> {
  links: readonly SecondLink[]
}

const headWidth = 7
const linkWidth = (resolutionMs: number) => (resolutionMs === SECOND_MS ? 3 : 7)

let lately: readonly number[] = []

/** The ports of links; most units have the same ones, and their list is kept once. */
export function portsOf(links: readonly SecondLink[]): readonly number[] {
  const isSame = lately.length === links.length && links.every(({ port }, at) => lately[at] === port)
  if (!isSame) lately = links.map(({ port }) => port)
  return lately
}

/** For twenty seconds, or for half a minute. */
const startBytes = (resolutionMs: number) => (resolutionMs === SECOND_MS ? 512 : 160)

/** A chunk has at most a few kilobytes: with room for more, getting the memory would take most of the time. */
const packing = { level: 3, windowBits: 13, memLevel: 5, chunkSize: 2048 }

/** 0 means unknown, so that all numbers are positive and mostly small. */
const known = (value: number | null, scale = 1) => (value === null ? 0 : Math.round(value * scale) + 1)
const read = (stored: number | undefined, scale = 1) => (stored ? (stored - 1) / scale : null)
const degrees = 1e5
const percents = 100

/** A link over an interval in which it was always as in this second. */
export const steadyLink = ({ port, kbps, rttMs, lossPercent }: SecondLink): LinkFigures => ({
  port,
  kbps,
  kbpsMin: kbps,
  kbpsMax: kbps,
  rttMs,
  rttMaxMs: rttMs,
  lossPercent,
  lossMaxPercent: lossPercent,
})

export class Chunk {
  readonly resolutionMs: number
  readonly fromMs: number
  readonly ports: readonly number[]
  toMs: number
  /** The time of the last write to the database; `writtenCount` is the number of rows then. */
  writtenAtMs: number
  writtenCount = 0
  readonly #rows: RowWriter

  constructor(resolutionMs: number, fromMs: number, ports: readonly number[]) {
    this.resolutionMs = resolutionMs
    this.fromMs = fromMs
    this.toMs = fromMs
    this.writtenAtMs = fromMs
    this.ports = ports
    this.#rows = new RowWriter(headWidth + ports.length * linkWidth(resolutionMs), startBytes(resolutionMs))
  }

  get count(): number {
    return this.#rows.count
  }

  /** False when the unit's links are no longer those of the chunk: another chunk must begin. */
  fits({ links }: SecondFigures): boolean {
    if (links.length !== this.ports.length) return false
    for (let at = 0; at < links.length; at++) if (links[at]?.port !== this.ports[at]) return false
    return true
  }

  /** For a chunk of 1 s. */
  appendSecond(figures: SecondFigures): void {
    const row = this.#begin(figures)
    let at = headWidth
    for (const { kbps, rttMs, lossPercent } of figures.links) {
      row[at++] = Math.round(kbps)
      row[at++] = known(rttMs)
      row[at++] = Math.round(lossPercent * percents)
    }
    this.#rows.append(row)
  }

  /** For a chunk of 10 s. */
  appendTen(figures: Figures): void {
    const row = this.#begin(figures)
    let at = headWidth
    for (const link of figures.links) {
      row[at++] = Math.round(link.kbps)
      row[at++] = Math.round(link.kbpsMin)
      row[at++] = Math.round(link.kbpsMax)
      row[at++] = known(link.rttMs)
      row[at++] = known(link.rttMaxMs)
      row[at++] = Math.round(link.lossPercent * percents)
      row[at++] = Math.round(link.lossMaxPercent * percents)
    }
    this.#rows.append(row)
  }

  /** The next row with all but its links. */
  #begin(figures: SecondFigures): Int32Array {
    const { lat, lng } = figures
    const row = this.#rows.next()
    row[0] = figures.ts - this.fromMs
    row[1] = known(figures.encoderKbps)
    row[2] = known(figures.capacityKbps)
    row[3] = figures.droppedPackets
    row[4] = known(figures.batteryPercent)
    row[5] = known(lat === null ? null : lat + 90, degrees)
    row[6] = known(lng === null ? null : lng + 180, degrees)
    this.toMs = figures.ts
    return row
  }

  figures(): Figures[] {
    return figuresOf(this.#rows.bytes(), this.resolutionMs, this.fromMs, this.ports)
  }

  /** The bytes for the database: the number of ports, the ports, the packed rows. */
  encode(): Uint8Array {
    const rows = deflateRawSync(this.#rows.bytes(), packing)
    return Buffer.concat([Buffer.from([this.ports.length, ...this.ports]), rows])
  }
}

export function decodeChunk(data: Uint8Array, resolutionMs: number, fromMs: number): Figures[] {
  const portCount = data[0] ?? 0
  const ports = [...data.subarray(1, 1 + portCount)]
  return figuresOf(inflateRawSync(data.subarray(1 + portCount)), resolutionMs, fromMs, ports)
}

function figuresOf(
  bytes: Uint8Array,
  resolutionMs: number,
  fromMs: number,
  ports: readonly number[],
): Figures[] {
  const width = linkWidth(resolutionMs)
  return readRows(bytes, headWidth + ports.length * width).map((row) => ({
    ts: fromMs + (row[0] ?? 0),
    encoderKbps: read(row[1]),
    capacityKbps: read(row[2]),
    droppedPackets: row[3] ?? 0,
    batteryPercent: read(row[4]),
    lat: minus(read(row[5], degrees), 90),
    lng: minus(read(row[6], degrees), 180),
    links: ports.map((port, at) => linkOf(port, row.subarray(headWidth + at * width), resolutionMs)),
  }))
}

const minus = (value: number | null, offset: number) => (value === null ? null : value - offset)

function linkOf(port: number, row: Int32Array, resolutionMs: number): LinkFigures {
  const kbps = row[0] ?? 0
  if (resolutionMs === SECOND_MS) {
    return steadyLink({ port, kbps, rttMs: read(row[1]), lossPercent: (row[2] ?? 0) / percents })
  }
  return {
    port,
    kbps,
    kbpsMin: row[1] ?? 0,
    kbpsMax: row[2] ?? 0,
    rttMs: read(row[3]),
    rttMaxMs: read(row[4]),
    lossPercent: (row[5] ?? 0) / percents,
    lossMaxPercent: (row[6] ?? 0) / percents,
  }
}
