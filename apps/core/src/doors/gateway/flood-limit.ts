import { MAX_MESSAGES_PER_SECOND } from '@backhaul/contract/gateway/shared'

/** A token bucket: so many messages a second, with a burst of as many again. */
export class FloodLimit {
  #left = 2 * MAX_MESSAGES_PER_SECOND
  #atMs: number

  constructor(nowMs: number) {
    this.#atMs = nowMs
  }

  /** Counts one message; false when the device has sent too many. */
  take(nowMs: number): boolean {
    const earned = ((nowMs - this.#atMs) / 1000) * MAX_MESSAGES_PER_SECOND
    this.#left = Math.min(2 * MAX_MESSAGES_PER_SECOND, this.#left + Math.max(0, earned)) - 1
    this.#atMs = nowMs
    return this.#left >= 0
  }
}
