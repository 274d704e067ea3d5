// Handles messages of devices in bounded turns of the event loop, so that users are answered in between.
import type { Clock } from '@backhaul/runtime/clock'
import type { DeviceQueue, Work } from './device-queue.ts'
import { type Superseded, supersede } from './superseding.ts'

/** Messages that wait for longer are dropped where the same device has sent newer figures. */
const lateAfterMs = 1000
/** The length of a turn while a user waits for an answer. */
const shortTurnMs = 2

export interface IntakeOptions {
  clock: Clock
  /** The length of a turn in ms; 0 handles one message a turn. */
  turnMs: number
  /** Whether a user waits for an answer of core. */
  isSomebodyWaiting: () => boolean
  onSuperseded: (superseded: Superseded) => void
}

/**
 * 1. idle: nothing waits, and a message is handled as it arrives as long as the turn has time left;
 * 2. in turns: messages wait in the queue of their device, and each turn of the event loop handles one message after
 *    another, of one device after another, until its time is over.
 */
export class Intake {
  readonly #options: IntakeOptions
  /** Queues with waiting messages, each once; those before `#head` are handled already. */
  #line: DeviceQueue[] = []
  #head = 0
  #spentMs = 0
  #hasTurn = false
  #isClosed = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Queues with waiting messages. */
  get #length(): number {
    return this.#line.length - this.#head
  }

  /** The number of messages that wait. */
  get size(): number {
    let size = 0
    for (let at = this.#head; at < this.#line.length; at++) size += this.#line[at]?.waiting.length ?? 0
    return size
  }

  /** The time for which the oldest message has been waiting. */
  get behindMs(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (let at = this.#head; at < this.#line.length; at++) {
      oldest = Math.min(oldest, this.#line[at]?.waiting[0]?.sinceMs ?? oldest)
    }
    return oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, this.#options.clock.monotonicMs() - oldest)
  }

  put(queue: DeviceQueue, work: Work): void {
    if (this.#isClosed) return
    const { turnMs } = this.#options
    if (this.#length === 0 && this.#spentMs < turnMs) {
      const startedMs = performance.now()
      queue.take(work)
      this.#spentMs += performance.now() - startedMs
      // Another turn of the event loop for each message would cost a good part of what handling it does.
      if (this.#spentMs >= turnMs / 2) this.#plan()
      return
    }
    this.#plan()
    queue.put(work, this.#options.clock.monotonicMs())
    if (queue.waiting.length === 1) this.#line.push(queue)
  }

  /** Handles all messages of one queue, without a pause. */
  finish(queue: DeviceQueue): void {
    while (queue.waiting.length > 0) queue.takeNext()
  }

  close(): void {
    this.#isClosed = true
    this.#line = []
    this.#head = 0
  }

  #plan(): void {
    if (this.#hasTurn) return
    this.#hasTurn = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#hasTurn = false
    this.#spentMs = 0
    const { turnMs, isSomebodyWaiting } = this.#options
    const endMs = performance.now() + (isSomebodyWaiting() ? Math.min(turnMs, shortTurnMs) : turnMs)
    while (this.#length > 0) {
      this.#takeOne()
      if (performance.now() >= endMs) break
    }
    if (this.#length > 0) this.#plan()
  }

  #takeOne(): void {
    const queue = this.#line[this.#head++] as DeviceQueue
    // Moving the rest to the front now and then costs less than doing it for each.
    if (this.#head > 1000 && this.#head * 2 > this.#line.length) {
      this.#line = this.#line.slice(this.#head)
      this.#head = 0
    }
    const [oldest] = queue.waiting
    if (!oldest) return
    if (queue.waiting.length > 1 && this.#options.clock.monotonicMs() - oldest.sinceMs >= lateAfterMs)
      this.#shorten(queue)
    try {
      queue.takeNext()
    } finally {
      if (queue.waiting.length > 0) this.#line.push(queue)
    }
  }

  #shorten(queue: DeviceQueue): void {
    const superseded = supersede(queue.waiting)
    queue.waiting = superseded.kept
    if (superseded.dropped.length > 0) this.#options.onSuperseded(superseded)
  }
}
