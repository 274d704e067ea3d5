// The delay of core's event loop: data on any socket is read this much later than it was sent.
const periodMs = 100
/** The time for which a delay is kept: readers that read once a second, and are late themselves, see each. */
const recentMs = 2500

export class LoopDelay {
  /** All delays since the start together. */
  totalMs = 0
  #recent: { atMs: number; ms: number }[] = []
  #dueMs = 0
  #timer: NodeJS.Timeout | undefined

  /** The longest delay of the last seconds. */
  get ms(): number {
    this.#forget()
    return Math.max(0, ...this.#recent.map(({ ms }) => ms))
  }

  start(): void {
    this.#dueMs = performance.now() + periodMs
    this.#timer = setInterval(() => {
      const nowMs = performance.now()
      const ms = Math.max(0, nowMs - this.#dueMs)
      this.#dueMs = nowMs + periodMs
      this.totalMs += ms
      this.#recent.push({ atMs: nowMs, ms })
      this.#forget()
    }, periodMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #forget(): void {
    const sinceMs = performance.now() - recentMs
    while ((this.#recent[0]?.atMs ?? Number.POSITIVE_INFINITY) < sinceMs) this.#recent.shift()
  }
}
