// One direction of a simulated link: rate with a queue, delay, jitter, random loss; keeps the order of packets.

export type LinkShape = {
  /** Null: as fast as it comes. */
  kbps: number | null
  /** The amount that may wait for the rate, in milliseconds of sending; more is dropped. */
  queueMs: number
  delayMs: number
  /** Extra delay from 0 to this, evenly distributed. */
  jitterMs: number
  lossPercent: number
}

export const OPEN_SHAPE: LinkShape = { kbps: null, queueMs: 300, delayMs: 0, jitterMs: 0, lossPercent: 0 }
const HEADERS_BYTES = 28

export class LinkShaper {
  shape: LinkShape
  passed = 0
  /** The bits that were offered, headers included. */
  offeredBits = 0
  dropped = 0
  readonly #random: () => number
  #freeMs = 0
  #arrivalMs = 0

  constructor(shape: LinkShape, random: () => number) {
    this.shape = shape
    this.#random = random
  }

  /** When a datagram of that size comes out, or null when it is lost. */
  offer(bytes: number, nowMs: number): number | null {
    const { kbps, queueMs, delayMs, jitterMs, lossPercent } = this.shape
    this.offeredBits += (bytes + HEADERS_BYTES) * 8
    const startMs = Math.max(nowMs, this.#freeMs)
    if (startMs - nowMs > queueMs || this.#random() * 100 < lossPercent) {
      this.dropped++
      return null
    }
    this.passed++
    this.#freeMs = kbps === null ? startMs : startMs + ((bytes + HEADERS_BYTES) * 8) / kbps
    this.#arrivalMs = Math.max(this.#arrivalMs, this.#freeMs + delayMs + this.#random() * jitterMs)
    return this.#arrivalMs
  }

  /** Drops what waits. */
  empty(): void {
    this.#freeMs = 0
    this.#arrivalMs = 0
  }
}

/** Repeatable numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
