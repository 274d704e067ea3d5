/**
 * The time series of one unit at core's rhythm (apps/core/src/fleet/telemetry): each second a row of differences, each ten
 * seconds a row of means, least and most; what was gathered is packed once a minute, and every five minutes.
 */
import { deflateRawSync } from 'node:zlib'
import type { UnitSample } from '@backhaul/contract/gateway/units'

/** The head of a row: time, encoder, capacity, battery, position; then three values a link at 1 s and seven at 10 s. */
const headWidth = 6
const tenSecondsMs = 10_000
const linesOf = [
  { resolutionMs: 1000, linkWidth: 3, startBytes: 512, packedEveryMs: 60_000, lastsMs: 300_000 },
  { resolutionMs: tenSecondsMs, linkWidth: 7, startBytes: 160, packedEveryMs: 300_000, lastsMs: 1_200_000 },
] as const
const degrees = 1e5
/** A difference of 32 bits has at most five bytes. */
const packed = Buffer.alloc(5 * (headWidth + 64 * 7))

/** A piece of one resolution, for the database. */
export interface Piece {
  unitId: string
  resolutionMs: number
  fromMs: number
  toMs: number
  data: Uint8Array
}

class Rows {
  readonly #width: number
  readonly #before: number[]
  #bytes: Buffer
  #length = 0

  constructor(width: number, startBytes: number) {
    this.#width = width
    this.#before = new Array<number>(width).fill(0)
    this.#bytes = Buffer.allocUnsafeSlow(startBytes)
  }

  append(row: readonly number[]): void {
    let length = 0
    for (let at = 0; at < this.#width; at++) {
      const value = (row[at] as number) | 0
      const difference = value - (this.#before[at] as number)
      let rest = ((difference << 1) ^ (difference >> 31)) >>> 0
      for (; rest > 127; rest >>>= 7) packed[length++] = (rest & 127) | 128
      packed[length++] = rest
      this.#before[at] = value
    }
    if (this.#length + length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.ceil(this.#bytes.length * 1.5) + length)
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    packed.copy(this.#bytes, this.#length, 0, length)
    this.#length += length
  }

  packed = (): Uint8Array => deflateRawSync(this.#bytes.subarray(0, this.#length), { level: 3 })
}

interface Line {
  rows: Rows
  fromMs: number
  packedAtMs: number
}

export class LeastSeries {
  readonly #unitId: string
  readonly #staggerMs: number
  readonly #lines: (Line | undefined)[] = [undefined, undefined]
  #lastMs = 0
  /** The sums of the current ten seconds, for each link: rate, least, most, trips, longest, loss, worst. */
  #sums = new Float64Array(0)
  #seconds = 0

  constructor(unitId: string, staggerMs: number) {
    this.#unitId = unitId
    this.#staggerMs = staggerMs
  }

  add(sample: UnitSample): void {
    const { ts, links } = sample
    const isOver = Math.ceil(this.#lastMs / tenSecondsMs) !== Math.ceil(ts / tenSecondsMs)
    if (this.#seconds > 0 && isOver) this.#endTen(sample)
    this.#lastMs = ts
    this.#sum(sample)
    const line = this.#lineOf(0, ts, links.length)
    const row = headOf(sample, ts - line.fromMs)
    for (const { up, kbps, rttMs, lossPercent } of links)
      row.push(up ? Math.round(kbps) : 0, up && rttMs !== null ? Math.round(rttMs) + 1 : 0, lossPercent * 100)
    line.rows.append(row)
  }

  #sum({ links }: UnitSample): void {
    const width = linesOf[1].linkWidth
    if (this.#sums.length !== links.length * width) this.#sums = new Float64Array(links.length * width)
    const sums = this.#sums
    const isFirst = this.#seconds++ === 0
    for (let at = 0; at < links.length; at++) {
      const { kbps, rttMs, lossPercent } = links[at] as UnitSample['links'][number]
      const from = at * width
      sums[from] = (sums[from] as number) + kbps
      sums[from + 1] = isFirst ? kbps : Math.min(sums[from + 1] as number, kbps)
      sums[from + 2] = Math.max(sums[from + 2] as number, kbps)
      sums[from + 3] = (sums[from + 3] as number) + (rttMs ?? 0)
      sums[from + 4] = Math.max(sums[from + 4] as number, rttMs ?? 0)
      sums[from + 5] = (sums[from + 5] as number) + lossPercent
      sums[from + 6] = Math.max(sums[from + 6] as number, lossPercent)
    }
  }

  #endTen(sample: UnitSample): void {
    const { linkWidth } = linesOf[1]
    const line = this.#lineOf(1, this.#lastMs, sample.links.length)
    const row = headOf(sample, this.#lastMs - line.fromMs)
    for (const [at, value] of this.#sums.entries())
      row.push([0, 3, 5].includes(at % linkWidth) ? value / this.#seconds : value)
    line.rows.append(row)
    this.#sums.fill(0)
    this.#seconds = 0
  }

  #lineOf(at: 0 | 1, ts: number, links: number): Line {
    const known = this.#lines[at]
    const { resolutionMs, linkWidth, startBytes, packedEveryMs } = linesOf[at]
    if (known) return known
    const rows = new Rows(headWidth + links * linkWidth, startBytes)
    const fromMs = ts - resolutionMs
    const line = { rows, fromMs, packedAtMs: fromMs - (this.#staggerMs % packedEveryMs) }
    this.#lines[at] = line
    return line
  }

  /** Appends the pieces to be stored now to `into`. */
  due(nowMs: number, into: Piece[]): void {
    for (let at = 0; at < linesOf.length; at++) {
      const line = this.#lines[at]
      const { resolutionMs, packedEveryMs, lastsMs } = linesOf[at] as (typeof linesOf)[number]
      if (!line || nowMs - line.packedAtMs < packedEveryMs) continue
      line.packedAtMs = nowMs
      const { fromMs, rows } = line
      into.push({ unitId: this.#unitId, resolutionMs, fromMs, toMs: this.#lastMs, data: rows.packed() })
      if (this.#lastMs - fromMs >= lastsMs) this.#lines[at] = undefined
    }
  }
}

function headOf({ encoderKbps, capacityKbps, battery, location }: UnitSample, sinceMs: number): number[] {
  return [
    sinceMs,
    encoderKbps === null ? 0 : encoderKbps + 1,
    capacityKbps === null ? 0 : capacityKbps + 1,
    (battery?.percentage ?? -1) + 1,
    location ? (location.lat + 90) * degrees : 0,
    location ? (location.lng + 180) * degrees : 0,
  ]
}
