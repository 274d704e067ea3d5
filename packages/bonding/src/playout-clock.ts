// Computes when a packet is due: a fixed delay after it was sent, regardless of the delay of its link and of repairs.
import { RTP_CLOCK_PER_MS } from './rtp.ts'

const WINDOW_MS = 5000
/** Longer delay: output runs at half speed while it grows. Shorter delay: at five quarters, so repairs still fit. */
const GROW_PER_MS = 0.5
const SHRINK_PER_MS = 0.25
/** A sender's clock that jumps further than this was restarted. */
const JUMP_MS = 10_000

/**
 * The sender's RTP time is mapped to ours by the fastest packet of the last 5 to 10 s; the buffer is added to it.
 * Both the change of the buffer and that of the fastest path are followed slowly, so output never jumps.
 */
export class PlayoutClock {
  bufferMs: number
  #media: { timestamp: number; ms: number } | null = null
  #fastest = { sinceMs: 0, current: Number.POSITIVE_INFINITY, previous: Number.POSITIVE_INFINITY }
  #offsetMs: number | null = null
  #steppedMs = 0

  constructor(bufferMs: number) {
    this.bufferMs = bufferMs
  }

  /** Time on the sender's scale in milliseconds, without wrap, of a 90 kHz timestamp near the last one seen. */
  mediaMs(timestamp: number): number {
    if (!this.#media) this.#media = { timestamp, ms: timestamp / RTP_CLOCK_PER_MS }
    const ticks = (timestamp - this.#media.timestamp) | 0
    const ms = this.#media.ms + ticks / RTP_CLOCK_PER_MS
    if (ticks > 0) this.#media = { timestamp, ms }
    return ms
  }

  /** Learns from a packet that is not a retransmission. Returns how late it was against the fastest, ms. */
  noteArrival(mediaMs: number, nowMs: number): number {
    const offset = nowMs - mediaMs
    if (Math.abs(offset - this.#lowest()) > JUMP_MS && Number.isFinite(this.#lowest())) this.#forget()
    if (nowMs - this.#fastest.sinceMs > WINDOW_MS) {
      this.#fastest = { sinceMs: nowMs, current: offset, previous: this.#fastest.current }
    }
    this.#fastest.current = Math.min(this.#fastest.current, offset)
    return offset - this.#lowest()
  }

  /** Moves the delay towards the wanted one. Call it before each output. */
  step(nowMs: number): void {
    const wanted = this.#lowest() + this.bufferMs
    if (!Number.isFinite(wanted)) return
    const elapsedMs = nowMs - this.#steppedMs
    this.#steppedMs = nowMs
    if (this.#offsetMs === null) this.#offsetMs = wanted
    else if (wanted > this.#offsetMs)
      this.#offsetMs = Math.min(wanted, this.#offsetMs + elapsedMs * GROW_PER_MS)
    else this.#offsetMs = Math.max(wanted, this.#offsetMs - elapsedMs * SHRINK_PER_MS)
  }

  /** Infinity as long as no packet has arrived. */
  dueMs(mediaMs: number): number {
    return mediaMs + (this.#offsetMs ?? this.#lowest() + this.bufferMs)
  }

  /** Delay in force now, in milliseconds after the fastest path. */
  delayMs(): number {
    return this.#offsetMs === null ? this.bufferMs : this.#offsetMs - this.#lowest()
  }

  reset(): void {
    this.#media = null
    this.#forget()
  }

  #lowest(): number {
    return Math.min(this.#fastest.current, this.#fastest.previous)
  }

  #forget(): void {
    this.#fastest = { sinceMs: 0, current: Number.POSITIVE_INFINITY, previous: Number.POSITIVE_INFINITY }
    this.#offsetMs = null
  }
}
