// Sums what happened during the last second, in ten buckets.

const BUCKET_MS = 100
const BUCKETS = 10

export class RateMeter {
  readonly #sums = new Float64Array(BUCKETS)
  #newest = Number.NEGATIVE_INFINITY

  add(amount: number, nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    if (bucket !== this.#newest) this.#advance(nowMs)
    const slot = bucket % BUCKETS
    this.#sums[slot] = (this.#sums[slot] ?? 0) + amount
  }

  /** Total of the last second. */
  perSecond(nowMs: number): number {
    this.#advance(nowMs)
    return this.#sums.reduce((total, sum) => total + sum, 0)
  }

  /** Bytes counted with `add`, as kilobits per second. */
  kbps(nowMs: number): number {
    return (this.perSecond(nowMs) * 8) / 1000
  }

  #advance(nowMs: number): void {
    const bucket = Math.floor(nowMs / BUCKET_MS)
    const from = Math.max(this.#newest + 1, bucket - BUCKETS + 1)
    for (let at = from; at <= bucket; at++) this.#sums[at % BUCKETS] = 0
    this.#newest = Math.max(this.#newest, bucket)
  }
}
