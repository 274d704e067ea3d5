import { MAX_MESSAGES_PER_SECOND } from '@backhaul/contract/gateway/shared'

const burst = 2 * MAX_MESSAGES_PER_SECOND

/** A token bucket: this many messages a second, with a burst of as many again. */
export class FloodLimit {
  #left = burst
  #atMs: number
  #unreadMs: number

  /** `unreadMs` is for how long core did not read: messages of that time are received together, and are not a flood. */
  constructor(nowMs: number, unreadMs: number) {
    this.#atMs = nowMs
    this.#unreadMs = unreadMs
  }

  /** Counts one message; false when the device has sent too many. */
  take(nowMs: number, unreadMs: number): boolean {
    const earned = (Math.max(0, nowMs - this.#atMs) / 1000) * MAX_MESSAGES_PER_SECOND
    const unread = ((unreadMs - this.#unreadMs) / 1000) * MAX_MESSAGES_PER_SECOND
    this.#left = Math.min(Math.max(burst + unread, this.#left), this.#left + earned) - 1
    this.#atMs = nowMs
    this.#unreadMs = unreadMs
    return this.#left >= 0
  }
}
