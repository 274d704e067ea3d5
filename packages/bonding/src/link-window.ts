// The window of a link: the number of packets of a tunnel that may be in flight on it.
//
// 1. starting: one more for each packet that was received, until the first loss or queue;
// 2. growing: one more for each round trip, while the round trip shows no full queue;
// 3. cut: to 70 % at a loss; to the least when no answer comes in time.
//
// In the background a queue of 30 ms is a full one, which the rate control of a picture on the same link does not notice
// yet: what is above it shrinks the window, by up to a half in a round trip. Every 15 s the window is closed for a moment,
// so that the link is measured without the queue that it makes itself.

const FIRST_WINDOW = 10
const LEAST_WINDOW = 4
const MOST_WINDOW = 1024
const CUT_BY = 0.7
/** A link that delays packets by more than this in addition to twice its own delay is full. */
const QUEUE_MS = 60
const LEAST_IN_BACKGROUND = 1
const BACKGROUND_QUEUE_MS = 30
const MEASURE_EVERY_MS = 15_000
const MEASURE_FOR_MS = 300
/** The own delay of a link is the least of the last one or two of these times. */
const BASE_MS = 20_000

export class LinkWindow {
  #window = FIRST_WINDOW
  #threshold = MOST_WINDOW
  #leastMs = Number.POSITIVE_INFINITY
  #base: { sinceMs: number; current: number; previous: number } | undefined
  #isBackground = false
  #measuredMs = Number.NEGATIVE_INFINITY

  packets(nowMs: number): number {
    const isMeasuring = this.#isBackground && nowMs - this.#measuredMs < MEASURE_FOR_MS
    return isMeasuring ? LEAST_IN_BACKGROUND : Math.floor(this.#window)
  }

  /** `wasFull`: at least half of the window was under way. */
  received(packet: { rttMs: number; wasFull: boolean; isBackground: boolean }, nowMs: number): void {
    const { rttMs, wasFull } = packet
    this.#leastMs = Math.min(this.#leastMs, rttMs)
    this.#isBackground = packet.isBackground
    if (packet.isBackground) this.#yield(rttMs, wasFull, nowMs)
    else if (rttMs > 2 * this.#leastMs + QUEUE_MS) this.#threshold = Math.min(this.#threshold, this.#window)
    else if (wasFull) this.#grow()
  }

  /** After a loss. */
  cut(): void {
    this.#window = Math.max(this.#least, this.#window * CUT_BY)
    this.#threshold = this.#window
  }

  /** After a time without an answer. */
  restart(): void {
    this.#threshold = Math.max(LEAST_WINDOW, this.#window / 2)
    this.#window = this.#least
  }

  get #least(): number {
    return this.#isBackground ? LEAST_IN_BACKGROUND : LEAST_WINDOW
  }

  #grow(): void {
    const more = this.#window < this.#threshold ? 1 : 1 / this.#window
    this.#window = Math.min(MOST_WINDOW, this.#window + more)
  }

  #yield(rttMs: number, wasFull: boolean, nowMs: number): void {
    if (!this.#base || nowMs - this.#base.sinceMs > BASE_MS)
      this.#base = { sinceMs: nowMs, current: rttMs, previous: this.#base?.current ?? this.#leastMs }
    this.#base.current = Math.min(this.#base.current, rttMs)
    if (nowMs - this.#measuredMs > MEASURE_EVERY_MS) this.#measuredMs = nowMs
    const queueMs = rttMs - Math.min(this.#base.current, this.#base.previous)
    if (queueMs <= BACKGROUND_QUEUE_MS) {
      if (wasFull) this.#grow()
      return
    }
    const share = Math.min(1, queueMs / BACKGROUND_QUEUE_MS - 1)
    this.#window = Math.max(LEAST_IN_BACKGROUND, this.#window - share / 2)
    this.#threshold = this.#window
  }
}
