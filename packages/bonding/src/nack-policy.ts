// The times and the number of requests of a receiver for missing packets.
import type { ReceiverLink } from './receiver-link.ts'
import type { NackRules } from './reorder-buffer.ts'

/** A link without media for this long is not considered when gaps are judged. */
const LINK_CARRIES_MS = 1000
const SHORTEST_REORDER_MS = 20
const REORDER_MARGIN_MS = 10
const RETRY_MARGIN_MS = 20
const ASSUMED_RTT_MS = 100
const LEAST_REQUESTS_PER_S = 320
/** The time for which an unused allowance accumulates. */
const ALLOWANCE_S = 0.1
/** Requests for more than half of the received rate would only congest the links further. */
const REQUEST_SHARE = 0.5

export class NackBudget {
  #askedMs = Number.NEGATIVE_INFINITY
  #allowance = 0

  /**
   * The number of packets that may be requested: a share of the packet rate, accumulated for at most a tenth of a
   * second.
   */
  limit(packetsPerSecond: number, nowMs: number): number {
    const elapsedS = Math.min(ALLOWANCE_S, (nowMs - this.#askedMs) / 1000)
    this.#askedMs = nowMs
    const perSecond = Math.max(LEAST_REQUESTS_PER_S, packetsPerSecond * REQUEST_SHARE)
    this.#allowance = Math.min(perSecond * ALLOWANCE_S, this.#allowance + perSecond * elapsedS)
    return Math.floor(this.#allowance)
  }

  spend(requests: number): void {
    this.#allowance -= requests
  }
}

/**
 * A gap waits for the slowest link's usual lateness, but not longer than half the buffer; a repeated request waits
 * for the longest round trip, since the repair may take any link.
 */
export function nackRules(
  links: readonly ReceiverLink[],
  stream: { highest: number; bufferMs: number; limit: number },
  nowMs: number,
): NackRules {
  const carrying = links.filter((link) => nowMs - link.mediaMs < LINK_CARRIES_MS)
  const lateness = Math.max(0, ...carrying.map((link) => link.latenessMs))
  const answering = links.filter((link) => link.control && link.live(nowMs))
  const longestRtt = Math.max(0, ...answering.map((link) => link.rttMs ?? ASSUMED_RTT_MS))
  return {
    passed: Math.min(stream.highest, ...carrying.map((link) => link.highest)),
    reorderMs: Math.max(SHORTEST_REORDER_MS, Math.min(lateness + REORDER_MARGIN_MS, stream.bufferMs / 2)),
    retryMs: longestRtt * 1.2 + RETRY_MARGIN_MS,
    limit: stream.limit,
  }
}
