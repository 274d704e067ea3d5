// Puts packets back in order: holds them until they are due, knows what is missing and what to request.
import { Places } from './places.ts'

/** Further ahead than this is another stream, not a gap. */
const LARGEST_GAP = 16_384
/** Packets out of place that follow each other, while nothing fits, show that the sender restarted. */
const STRAYS_FOR_RESTART = 10
const RESTART_SILENCE_MS = 500
/** Neighbours that swapped places on one link are no loss. */
const SETTLE_MS = 8
/** A packet of which nothing is missing may leave this long before it is due, when something wakes the receiver anyway. */
export const MOST_EARLY_MS = 5

export type HeldPacket = { mediaMs: number; payload: Uint8Array }
export type Arrival = 'inOrder' | 'filledGap' | 'recovered' | 'duplicate' | 'late' | 'stray' | 'restart'
export type NackRules = { passed: number; reorderMs: number; retryMs: number; limit: number }
type Gap = { sinceMs: number; requestedMs: number; requests: number }

export class ReorderBuffer {
  /** Those from `#next` to `#highest` that are here. */
  readonly #held = new Places<HeldPacket>()
  #heldCount = 0
  readonly #missing = new Map<number, Gap>()
  #next: number | null = null
  #highest = 0
  #released = false
  #acceptedMs = 0
  #strays = { last: 0, run: 0 }

  /** Highest packet index so far; meaningless before the first packet. */
  get highest(): number {
    return this.#highest
  }

  get heldCount(): number {
    return this.#heldCount
  }

  get missingCount(): number {
    return this.#missing.size
  }

  /** Time of the packet that is next in order; Infinity when it is not here. */
  get nextMediaMs(): number {
    const next = this.#next === null ? undefined : this.#held.get(this.#next)
    return next?.mediaMs ?? Number.POSITIVE_INFINITY
  }

  /** The packet index whose low 16 bits are the sequence number, nearest to the highest seen. */
  unwrap(sequence: number): number {
    if (this.#next === null) return sequence + 0x10000
    const ahead = ((sequence - this.#highest + 0x8000) & 0xffff) - 0x8000
    return this.#highest + ahead
  }

  insert(index: number, packet: HeldPacket, retransmitted: boolean, nowMs: number): Arrival {
    if (this.#next === null) {
      this.#next = index
      this.#highest = index - 1
    }
    if (index > this.#highest + LARGEST_GAP) return this.#noteStray(index, retransmitted, nowMs)
    const isBefore = index < this.#next
    if (isBefore && (this.#released || index < this.#next - LARGEST_GAP))
      return this.#noteStray(index, retransmitted, nowMs)
    this.#held.reach(this.#next, Math.max(index, this.#highest) - Math.min(index, this.#next) + 1)
    // Before the first output, an earlier packet from a slower link only moves the beginning.
    if (isBefore) {
      for (let gap = index + 1; gap < this.#next; gap++) this.#markMissing(gap, nowMs)
      this.#next = index
    }
    if (this.#held.get(index)) return 'duplicate'
    this.#strays.run = 0
    this.#acceptedMs = nowMs
    this.#held.set(index, packet)
    this.#heldCount++
    if (index > this.#highest) {
      for (let gap = this.#highest + 1; gap < index; gap++) this.#markMissing(gap, nowMs)
      this.#highest = index
      return 'inOrder'
    }
    const gap = this.#missing.get(index)
    this.#missing.delete(index)
    return gap && gap.requests > 0 ? 'recovered' : 'filledGap'
  }

  /** Payloads that are due, in order, and how many packets were given up because their successors are due. */
  release(dueMs: (mediaMs: number) => number, nowMs: number): { payloads: Uint8Array[]; lost: number } {
    const payloads: Uint8Array[] = []
    let lost = 0
    while (this.#next !== null && this.#next <= this.#highest) {
      let at = this.#next
      while (!this.#held.get(at)) at++
      const packet = this.#held.get(at)!
      if (dueMs(packet.mediaMs) > (at === this.#next ? nowMs + MOST_EARLY_MS : nowMs)) break
      for (let gap = this.#next; gap < at; gap++) this.#missing.delete(gap)
      lost += at - this.#next
      this.#held.set(at, undefined)
      this.#heldCount--
      payloads.push(packet.payload)
      this.#next = at + 1
      this.#released = true
    }
    return { payloads, lost }
  }

  /**
   * Missing packets to request now, oldest first, at most `limit`.
   * A gap is requested once no live link can still bring it (`passed`, the lowest of the links' highest index) or
   * after `reorderMs`; again each `retryMs`.
   */
  takeRequests(rules: NackRules, nowMs: number): number[] {
    const wanted: number[] = []
    for (const [index, gap] of this.#missing) {
      if (wanted.length >= rules.limit) break
      const ready =
        gap.requests === 0
          ? nowMs - gap.sinceMs >= (index < rules.passed ? SETTLE_MS : rules.reorderMs)
          : nowMs - gap.requestedMs >= rules.retryMs
      if (!ready) continue
      gap.requests++
      gap.requestedMs = nowMs
      wanted.push(index)
    }
    return wanted.sort((a, b) => a - b)
  }

  /** Everything held, in order, gaps skipped; the buffer is empty and open to any sequence afterwards. */
  drain(): Uint8Array[] {
    const payloads: Uint8Array[] = []
    for (let at = this.#next ?? Number.POSITIVE_INFINITY; at <= this.#highest; at++) {
      const packet = this.#held.get(at)
      if (packet) payloads.push(packet.payload)
      this.#held.set(at, undefined)
    }
    this.#heldCount = 0
    this.#missing.clear()
    this.#next = null
    this.#released = false
    this.#strays.run = 0
    return payloads
  }

  #markMissing(index: number, nowMs: number): void {
    this.#missing.set(index, { sinceMs: nowMs, requestedMs: 0, requests: 0 })
  }

  #noteStray(index: number, retransmitted: boolean, nowMs: number): Arrival {
    const late = this.#next !== null && index < this.#next
    if (retransmitted) return late ? 'late' : 'stray'
    const follows = Math.abs(index - this.#strays.last) < 100
    this.#strays = { last: index, run: follows ? this.#strays.run + 1 : 1 }
    if (this.#strays.run >= STRAYS_FOR_RESTART && nowMs - this.#acceptedMs > RESTART_SILENCE_MS)
      return 'restart'
    return late ? 'late' : 'stray'
  }
}
