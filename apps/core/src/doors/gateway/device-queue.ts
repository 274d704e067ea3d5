// The messages of one device that core has not yet handled, in their order.

/** A message that is parsed already, and whether it satisfies its schema as it is. */
export interface Parsed {
  message: object
  isValid: boolean
}

/** A message as bytes of text, or parsed already; a function is work of core itself in the same order, such as a close. */
export type Work = Buffer | Parsed | (() => void)

export interface Waiting {
  work: Work
  sinceMs: number
}

/** A device with this much waiting is not read from until it is less: nothing is lost, the network buffers it. */
const pausedFrom = 100
const resumedAt = 20

export interface QueueEnds {
  take(message: Buffer | Parsed): void
  /** Stops and starts to read from the device. */
  pause(): void
  resume(): void
}

export class DeviceQueue {
  waiting: Waiting[] = []
  readonly #ends: QueueEnds
  #isPaused = false

  constructor(ends: QueueEnds) {
    this.#ends = ends
  }

  put(work: Work, sinceMs: number): void {
    this.waiting.push({ work, sinceMs })
    if (this.#isPaused || this.waiting.length < pausedFrom) return
    this.#isPaused = true
    this.#ends.pause()
  }

  /** Takes the oldest. */
  takeNext(): void {
    const next = this.waiting.shift()
    if (!next) return
    if (this.#isPaused && this.waiting.length <= resumedAt) {
      this.#isPaused = false
      this.#ends.resume()
    }
    this.take(next.work)
  }

  take(work: Work): void {
    if (typeof work === 'function') work()
    else this.#ends.take(work)
  }
}
