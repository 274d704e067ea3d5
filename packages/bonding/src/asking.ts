// When and how often a receiver asks for missing packets.
import type { ReceiverLink } from './receiver-link.ts'
import type { AskRules } from './reorder-buffer.ts'

/** A link without media for so long has no part in judging what is missing. */
const LINK_CARRIES_MS = 1000
const SHORTEST_REORDER_MS = 20
const REORDER_MARGIN_MS = 10
const RETRY_MARGIN_MS = 20
const ASSUMED_RTT_MS = 100
const LEAST_ASKED_PER_S = 320
/** Asking for more than half of what comes would only crowd the links further. */
const ASKED_SHARE = 0.5

export class Asking {
  #tickedMs: number | null = null
  #allowance = 0

  /** How many packets may be asked for now: a share of the packet rate, saved up for at most a tenth of a second. */
  limit(packetsPerSecond: number, nowMs: number): number {
    const elapsedS = (nowMs - (this.#tickedMs ?? nowMs)) / 1000
    this.#tickedMs = nowMs
    const perSecond = Math.max(LEAST_ASKED_PER_S, packetsPerSecond * ASKED_SHARE)
    this.#allowance = Math.min(perSecond / 10, this.#allowance + perSecond * elapsedS)
    return Math.floor(this.#allowance)
  }

  spend(asked: number): void {
    this.#allowance -= asked
  }
}

/**
 * A gap waits for the slowest link's usual lateness, but not longer than half the buffer; asking again waits for
 * the longest round trip, since the repair may take any link.
 */
export function askRules(
  links: readonly ReceiverLink[],
  stream: { highest: number; bufferMs: number; limit: number },
  nowMs: number,
): AskRules {
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
