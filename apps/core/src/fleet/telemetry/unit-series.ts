// The figures of one unit that are still growing: the open chunk of each resolution, and the 10 s that are under way.
import { Chunk, type Figures, portsOf, SECOND_MS, type SecondFigures, TEN_SECONDS_MS } from './chunk.ts'
import { TenSeconds } from './ten-seconds.ts'

/** One resolution and its chunks. */
interface Line {
  readonly resolutionMs: number
  /** The length of a chunk: 300 or 120 rows. */
  readonly lastsMs: number
  /** The interval at which an open chunk is written again, so that a crash loses no more than this. */
  readonly writtenEveryMs: number
}
const secondsLine: Line = { resolutionMs: SECOND_MS, lastsMs: 300_000, writtenEveryMs: 60_000 }
const tensLine: Line = { resolutionMs: TEN_SECONDS_MS, lastsMs: 1_200_000, writtenEveryMs: 300_000 }
const lines = [secondsLine, tensLine] as const
/** The positions of the resolutions within `lines`. */
const [SECONDS, TENS] = [0, 1] as const

/** The interval at which a series is checked for chunks that are due. */
export const WRITE_ROUND_MS = 60_000

/** Samples may arrive out of order by less than this. */
const setBackMs = 10_000

/** Below this a link carries only keep-alives. */
const idleKbps = 50

/** Seconds are kept while the unit sends; for an idle one 10 s are enough. */
const isSending = ({ encoderKbps, links }: SecondFigures): boolean =>
  encoderKbps !== null || links.some(({ kbps }) => kbps > idleKbps)

const tenOf = (ts: number) => Math.ceil(ts / TEN_SECONDS_MS)

const nothing: readonly Chunk[] = []

export class UnitSeries {
  /** Spreads the writes of a fleet over time. */
  readonly #staggerMs: number
  /** The open chunk of each line. */
  readonly #open: (Chunk | undefined)[] = [undefined, undefined]
  readonly #underWay = new TenSeconds()
  #ended: Chunk[] = []

  constructor(stagger: number) {
    this.#staggerMs = stagger
  }

  /** One second's figures, in order of time; one that is not newer than the last is dropped, unless a clock was set back. */
  add(figures: SecondFigures): void {
    let lastTs = this.#underWay.lastTs
    if (lastTs !== undefined && lastTs - figures.ts > setBackMs) {
      this.#endAll()
      lastTs = undefined
    }
    if (lastTs !== undefined && figures.ts <= lastTs) return
    if (lastTs !== undefined && tenOf(lastTs) !== tenOf(figures.ts)) this.#closeTen()
    this.#underWay.add(figures)
    if (isSending(figures)) this.#chunkFor(SECONDS, figures).appendSecond(figures)
  }

  /** A chunk counts forward only: a clock that was set starts new ones. */
  #endAll(): void {
    this.#closeTen()
    for (const [line, chunk] of this.#open.entries()) {
      if (chunk) this.#ended.push(chunk)
      this.#open[line] = undefined
    }
  }

  #closeTen(): void {
    const figures = this.#tenUnderWay()
    if (!figures) return
    this.#chunkFor(TENS, figures).appendTen(figures)
    this.#underWay.clear()
  }

  #tenUnderWay(): Figures | undefined {
    const { lastTs } = this.#underWay
    return lastTs === undefined ? undefined : this.#underWay.figures(tenOf(lastTs) * TEN_SECONDS_MS)
  }

  /** The open chunk, or a new one, to which these figures belong. */
  #chunkFor(at: typeof SECONDS | typeof TENS, figures: SecondFigures): Chunk {
    const line = lines[at]
    let chunk = this.#open[at]
    if (chunk && (!chunk.fits(figures) || figures.ts - chunk.fromMs > line.lastsMs)) {
      this.#ended.push(chunk)
      chunk = undefined
    }
    if (!chunk) {
      chunk = new Chunk(line.resolutionMs, figures.ts - line.resolutionMs, portsOf(figures.links))
      chunk.writtenAtMs -= this.#staggerMs % line.writtenEveryMs
      this.#open[at] = chunk
    }
    return chunk
  }

  /** The chunks that should be written now; all chunks when `all` is set. */
  due(nowMs: number, all = false): readonly Chunk[] {
    let due: Chunk[] | undefined
    if (this.#ended.length > 0) {
      due = this.#ended
      this.#ended = []
    }
    for (let at = 0; at < lines.length; at++) {
      const [line, chunk] = [lines[at] as Line, this.#open[at]]
      if (!chunk || chunk.count === chunk.writtenCount) continue
      const isOld = nowMs - chunk.toMs > line.lastsMs
      const isLateNextTime = nowMs + WRITE_ROUND_MS - chunk.writtenAtMs > line.writtenEveryMs
      if (!all && !isOld && !isLateNextTime) continue
      due ??= []
      due.push(chunk)
      if (isOld) this.#open[at] = undefined
    }
    return due ?? nothing
  }

  /** The figures that may not be in the database yet: whole open chunks, ended ones, and the seconds under way. */
  figures(resolutionMs: number): Figures[] {
    const chunks = [...this.#ended, ...this.#open].filter((chunk) => chunk?.resolutionMs === resolutionMs)
    const figures = chunks.flatMap((chunk) => chunk?.figures() ?? [])
    const ten = resolutionMs === TEN_SECONDS_MS ? this.#tenUnderWay() : undefined
    return ten ? [...figures, ten] : figures
  }
}
