// The figures of one unit that are still growing: the open chunk of each resolution, and the 10 s that are under way.
import { Chunk, type Figures, SECOND_MS, TEN_SECONDS_MS } from './chunk.ts'
import { merged } from './figures.ts'

/** A chunk of 1 s ends after 5 minutes, one of 10 s after 20: 300 and 120 rows. */
const lastsMs = { [SECOND_MS]: 300_000, [TEN_SECONDS_MS]: 1_200_000 } as const
/** How often an open chunk is written again, so that a crash loses no more than this. */
const writtenEveryMs = { [SECOND_MS]: 60_000, [TEN_SECONDS_MS]: 300_000 } as const
type Resolution = keyof typeof lastsMs
const resolutions: readonly Resolution[] = [SECOND_MS, TEN_SECONDS_MS]

/** Samples may arrive out of order by less than this. */
const setBackMs = 10_000

/** Below this a link carries only keep-alives. */
const idleKbps = 50

/** Seconds are kept while the unit sends; for an idle one 10 s are enough. */
const isSending = ({ encoderKbps, links }: Figures): boolean =>
  encoderKbps !== null || links.some(({ kbps }) => kbps > idleKbps)

export class UnitSeries {
  /** Spreads the writes of a fleet over time. */
  readonly #staggerMs: number
  #open: Record<Resolution, Chunk | undefined> = { [SECOND_MS]: undefined, [TEN_SECONDS_MS]: undefined }
  #underWay: Figures[] = []
  #ended: Chunk[] = []

  constructor(stagger: number) {
    this.#staggerMs = stagger
  }

  /** One second's figures, in order of time; one that is not newer than the last is dropped, unless a clock was set back. */
  add(figures: Figures): void {
    let last = this.#underWay.at(-1)
    if (last && last.ts - figures.ts > setBackMs) {
      this.#endAll()
      last = undefined
    }
    if (last && figures.ts <= last.ts) return
    const tenOf = (ts: number) => Math.ceil(ts / TEN_SECONDS_MS)
    if (last && tenOf(last.ts) !== tenOf(figures.ts)) this.#closeTen()
    this.#underWay.push(figures)
    if (isSending(figures)) this.#append(SECOND_MS, figures)
  }

  /** A chunk counts forward only: a clock that was set starts new ones. */
  #endAll(): void {
    this.#closeTen()
    for (const resolution of resolutions) {
      const chunk = this.#open[resolution]
      if (chunk) this.#ended.push(chunk)
      this.#open[resolution] = undefined
    }
  }

  #closeTen(): void {
    const last = this.#underWay.at(-1)
    if (!last) return
    const ts = Math.ceil(last.ts / TEN_SECONDS_MS) * TEN_SECONDS_MS
    this.#append(TEN_SECONDS_MS, merged(this.#underWay, ts))
    this.#underWay = []
  }

  #append(resolution: Resolution, figures: Figures): void {
    let chunk = this.#open[resolution]
    if (chunk && (!chunk.fits(figures) || figures.ts - chunk.fromMs > lastsMs[resolution])) {
      this.#ended.push(chunk)
      chunk = undefined
    }
    if (!chunk) {
      const ports = figures.links.map(({ port }) => port)
      chunk = new Chunk(resolution, figures.ts - resolution, ports)
      chunk.writtenAtMs -= this.#staggerMs % writtenEveryMs[resolution]
      this.#open[resolution] = chunk
    }
    chunk.append(figures)
  }

  /** What should be written now; everything when `all` is set. */
  due(nowMs: number, all = false): Chunk[] {
    const due = this.#ended
    this.#ended = []
    for (const resolution of resolutions) {
      const chunk = this.#open[resolution]
      if (!chunk || chunk.count === chunk.writtenCount) continue
      const isOld = nowMs - chunk.toMs > lastsMs[resolution]
      if (!all && !isOld && nowMs - chunk.writtenAtMs < writtenEveryMs[resolution]) continue
      due.push(chunk)
      if (isOld) this.#open[resolution] = undefined
    }
    return due
  }

  /** The figures that may not be in the database yet: whole open chunks, ended ones, and the seconds under way. */
  figures(resolution: Resolution): Figures[] {
    const ended = this.#ended.filter(({ resolutionMs }) => resolutionMs === resolution)
    const figures = [...ended, this.#open[resolution] ?? []].flat().flatMap((chunk) => chunk.figures())
    const last = this.#underWay.at(-1)
    if (resolution === TEN_SECONDS_MS && last)
      figures.push(merged(this.#underWay, Math.ceil(last.ts / TEN_SECONDS_MS) * TEN_SECONDS_MS))
    return figures
  }
}
