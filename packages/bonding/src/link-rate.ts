// Estimates what one link can carry: grows while all is well, backs off on loss and on a growing round trip.

const PERIOD_MS = 400
const AFTER_CUT_MS = 800
const BASE_WINDOW_MS = 15_000
const LOWEST_KBPS = 100
const HIGHEST_KBPS = 200_000
const LOSS_TO_CUT = 0.08
const LOSS_TO_GROW = 0.04
const LEAST_NACKED_TO_CUT = 5
const LOSS_PERIODS = 3
const USED_TO_GROW = 0.7
const RTT_SAMPLES = 3

/**
 * Rate of one link, multiplied up and down every 400 ms. Loss is the share of packets asked for again during the
 * last 1.2 s; the queue is the lowest of the last three round trips over the lowest of the last 15 to 30 s (the
 * base), so jitter alone is no queue.
 *
 * 1. starting: ×1.25 per period until the first sign of a queue, then one step back;
 * 2. growing: ×1.06 per period while at least 70 % is used, loss < 4 % and queue < 40 ms (or 40 % of the base);
 * 3. easing: ×0.97 while the queue stands;
 * 4. cut: to 85 % of what got through when loss > 8 % or the queue > 100 ms (or the base), then 800 ms of rest.
 */
export class LinkRate {
  kbps: number
  #starting = true
  #periodStart: number
  #restUntil = 0
  #sentBytes = 0
  #sent = 0
  #nacked = 0
  #history: { sent: number; nacked: number }[] = []
  #rtts: number[] = []
  #base = { sinceMs: 0, current: Number.POSITIVE_INFINITY, previous: Number.POSITIVE_INFINITY }

  constructor(startKbps: number, nowMs: number) {
    this.kbps = startKbps
    this.#periodStart = nowMs
  }

  noteSent(bytes: number): void {
    this.#sent++
    this.#sentBytes += bytes
  }

  noteNacked(): void {
    this.#nacked++
  }

  noteRtt(rttMs: number, nowMs: number): void {
    this.#rtts = [...this.#rtts.slice(1 - RTT_SAMPLES), rttMs]
    if (nowMs - this.#base.sinceMs > BASE_WINDOW_MS) {
      this.#base = { sinceMs: nowMs, current: rttMs, previous: this.#base.current }
    }
    this.#base.current = Math.min(this.#base.current, rttMs)
  }

  /** A link that was lost starts again from half of what it had, and may climb fast. */
  restart(nowMs: number): void {
    this.kbps = Math.max(LOWEST_KBPS * 2, this.kbps / 2)
    this.#starting = true
    this.#base = { sinceMs: nowMs, current: Number.POSITIVE_INFINITY, previous: Number.POSITIVE_INFINITY }
    this.#history = []
    this.#rtts = []
    this.#beginPeriod(nowMs)
  }

  /** Call as often as you like; acts once per period. */
  adapt(nowMs: number): void {
    const elapsed = nowMs - this.#periodStart
    if (elapsed < PERIOD_MS) return
    this.#history = [...this.#history.slice(1 - LOSS_PERIODS), { sent: this.#sent, nacked: this.#nacked }]
    this.#step((this.#sentBytes * 8) / elapsed, nowMs)
    this.kbps = Math.min(HIGHEST_KBPS, Math.max(LOWEST_KBPS, this.kbps))
    this.#beginPeriod(nowMs)
  }

  #step(usedKbps: number, nowMs: number): void {
    const sent = this.#history.reduce((sum, period) => sum + period.sent, 0)
    const nacked = this.#history.reduce((sum, period) => sum + period.nacked, 0)
    const loss = sent > 0 ? Math.min(1, nacked / sent) : 0
    const baseMs = Math.min(this.#base.current, this.#base.previous)
    const queueMs = this.#rtts.length > 0 ? Math.min(...this.#rtts) - baseMs : 0
    if ((loss > LOSS_TO_CUT && nacked >= LEAST_NACKED_TO_CUT) || queueMs > Math.max(100, baseMs)) {
      this.#starting = false
      if (nowMs < this.#restUntil) return
      this.#restUntil = nowMs + AFTER_CUT_MS
      const through = Math.max(usedKbps * (1 - loss), this.kbps * 0.5)
      this.kbps = Math.min(this.kbps, through) * 0.85
    } else if (queueMs > Math.max(40, baseMs * 0.4)) {
      this.kbps *= this.#starting ? 0.8 : 0.97
      this.#starting = false
    } else if (usedKbps > this.kbps * USED_TO_GROW && loss < LOSS_TO_GROW && nowMs >= this.#restUntil) {
      this.kbps *= this.#starting ? 1.25 : 1.06
    }
  }

  #beginPeriod(nowMs: number): void {
    this.#periodStart = nowMs
    this.#sent = 0
    this.#sentBytes = 0
    this.#nacked = 0
  }
}
