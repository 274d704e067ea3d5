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
const RTT_SAMPLES = 5

const CEILING_MS = 15_000

/**
 * Rate of one link, multiplied up and down every 400 ms. Loss is the share of packets requested again during the
 * last 1.2 s; the queue is the lowest of the last five round trips over the lowest of the last 15 to 30 s (the
 * base), so jitter alone is no queue. The rate in use when a queue built up is the ceiling for the next 15 s.
 *
 * 1. starting: ×1.15 per period until the first sign of a queue, then one step back;
 * 2. growing: ×1.06 per period while at least 70 % is used, loss < 4 % and queue < 40 ms (or 40 % of the base);
 *    above 95 % of the ceiling ×1.01;
 * 3. easing: while there is a queue, ×0.97 and not above what is in use;
 * 4. cut: to 85 % of what got through when loss > 8 % or the queue > 100 ms (or the base), then 800 ms of rest.
 */
export class LinkRate {
  kbps: number
  #starting = true
  #periodStart: number
  #restUntil = 0
  #ceiling = { kbps: 0, sinceMs: Number.NEGATIVE_INFINITY }
  #sentBytes = 0
  #sent = 0
  #nacked = 0
  #history: { sent: number; nacked: number }[] = []
  #rtts: number[] = []
  /** The excess of the last two round trips over what counts as no queue. */
  #excessMs = 0
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
    const baseMs = this.#baseMs()
    this.#excessMs = Math.min(...this.#rtts.slice(-2)) - baseMs - Math.max(40, baseMs * 0.4)
  }

  /**
   * The rate to share packets by. A queue lowers it immediately, before the next period; a link that is starting takes
   * more than its rate, since only traffic proves a rate.
   */
  get shareKbps(): number {
    if (this.#rtts.length === 0) return this.kbps
    if (this.#excessMs > 0) return this.kbps * Math.max(0.1, 1 - this.#excessMs / 150)
    return this.#starting ? this.kbps * 1.6 : this.kbps
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

  /** When `adapt` acts next. */
  get adaptsMs(): number {
    return this.#periodStart + PERIOD_MS
  }

  /** Call as often as you like; acts once per period. */
  adapt(nowMs: number): void {
    const elapsed = nowMs - this.#periodStart
    if (elapsed < PERIOD_MS) return
    // Requests just after a cut are for packets sent before it.
    if (nowMs >= this.#restUntil) {
      this.#history = [...this.#history.slice(1 - LOSS_PERIODS), { sent: this.#sent, nacked: this.#nacked }]
    }
    this.#step((this.#sentBytes * 8) / elapsed, nowMs)
    this.kbps = Math.min(HIGHEST_KBPS, Math.max(LOWEST_KBPS, this.kbps))
    this.#beginPeriod(nowMs)
  }

  #step(usedKbps: number, nowMs: number): void {
    const sent = this.#history.reduce((sum, period) => sum + period.sent, 0)
    const nacked = this.#history.reduce((sum, period) => sum + period.nacked, 0)
    const loss = sent > 0 ? Math.min(1, nacked / sent) : 0
    const baseMs = this.#baseMs()
    // The first climb is steep: it must see a queue as soon as there is one.
    const rtts = this.#starting ? this.#rtts.slice(-2) : this.#rtts
    const queueMs = rtts.length > 0 ? Math.min(...rtts) - baseMs : 0
    if ((loss > LOSS_TO_CUT && nacked >= LEAST_NACKED_TO_CUT) || queueMs > Math.max(100, baseMs)) {
      this.#starting = false
      if (nowMs < this.#restUntil) return
      this.#restUntil = nowMs + AFTER_CUT_MS
      const through = Math.max(usedKbps * (1 - loss), this.kbps * 0.5)
      this.#ceiling = { kbps: through, sinceMs: nowMs }
      this.kbps = Math.min(this.kbps * 1.25, through * 0.85)
      this.#history = []
    } else if (queueMs > Math.max(40, baseMs * 0.4)) {
      this.#ceiling = { kbps: usedKbps, sinceMs: nowMs }
      this.kbps = Math.min(this.kbps * 0.97, Math.max(usedKbps, this.kbps * 0.8))
      this.#starting = false
    } else if (usedKbps > this.kbps * USED_TO_GROW && loss < LOSS_TO_GROW && nowMs >= this.#restUntil) {
      // A rate that was carried without loss or queue is proven.
      this.kbps = Math.max(this.kbps * this.#growth(nowMs), Math.min(usedKbps, this.kbps * 1.2))
    }
  }

  #growth(nowMs: number): number {
    if (this.#starting) return 1.15
    const nearCeiling = this.kbps > this.#ceiling.kbps * 0.95 && nowMs - this.#ceiling.sinceMs < CEILING_MS
    return nearCeiling ? 1.01 : 1.06
  }

  #baseMs(): number {
    const lowest = Math.min(this.#base.current, this.#base.previous)
    return Number.isFinite(lowest) ? lowest : 0
  }

  #beginPeriod(nowMs: number): void {
    this.#periodStart = nowMs
    this.#sent = 0
    this.#sentBytes = 0
    this.#nacked = 0
  }
}
