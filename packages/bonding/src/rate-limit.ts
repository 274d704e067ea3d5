// A limit of what some links may send together: a bucket that fills at the allowed rate.

/** Headers of IP and UDP, which networks count too. */
const HEADER_BYTES = 28
/** The time for which unused capacity can be used later. */
const BURST_MS = 100

/** Links by their ids, and what they may send together in kilobits per second, headers included. */
export type LinkLimit = { links: readonly string[]; kbps: number }

export class RateLimit {
  readonly links: ReadonlySet<string>
  kbps: number
  #bits: number
  #atMs: number

  /** @throws RangeError for a rate that is not above 0. */
  constructor({ links, kbps }: LinkLimit, nowMs: number) {
    if (!(kbps > 0)) throw new RangeError(`limits: kbps must be above 0, not ${kbps}`)
    this.links = new Set(links)
    this.kbps = kbps
    this.#bits = kbps * BURST_MS
    this.#atMs = nowMs
  }

  /** Sets the rate from now on; the content of the bucket is kept. */
  setRate(kbps: number, nowMs: number): void {
    this.#fill(nowMs)
    this.kbps = kbps
  }

  /** A datagram may leave. It may take the bucket below zero: later ones make up for it. */
  hasRoom(nowMs: number): boolean {
    this.#fill(nowMs)
    return this.#bits > 0
  }

  note(bytes: number, nowMs: number): void {
    this.#fill(nowMs)
    this.#bits -= (bytes + HEADER_BYTES) * 8
  }

  #fill(nowMs: number): void {
    this.#bits = Math.min(this.kbps * BURST_MS, this.#bits + (nowMs - this.#atMs) * this.kbps)
    this.#atMs = nowMs
  }
}
