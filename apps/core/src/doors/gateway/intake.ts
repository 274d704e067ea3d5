// Handles messages of devices in bounded turns of the event loop, so that users are answered in between.
import type { Clock } from '@backhaul/runtime/clock'
import type { DeviceQueue, Work } from './device-queue.ts'
import { QueueLine } from './queue-line.ts'
import { isFigures, type Superseded, supersede } from './superseding.ts'

/** Messages that wait for longer are dropped where the same device has sent newer figures. */
const lateAfterMs = 1000
/** Figures that wait for longer get every second place, and no longer give way to everything else. */
const figuresWaitMs = 3000
/** The length of a turn while a user waits for an answer. */
const shortTurnMs = 2
/**
 * The length of a turn while devices dial. The event loop accepts one connection a turn (libuv since 1.45), and the kernel
 * refuses those for which its queue has no room: after a restart, a whole fleet dials within seconds.
 */
const diallingTurnMs = 0.2
/** After a device has dialled, others are expected for this time. */
const diallingForMs = 50

export interface IntakeOptions {
  clock: Clock
  /** The longest turn in ms; 0 handles one message a turn. */
  turnMs: number
  /** Whether a user waits for an answer of core. */
  isSomebodyWaiting: () => boolean
  onSuperseded: (superseded: Superseded) => void
}

/**
 * 1. idle: nothing waits, and a message is handled as it arrives as long as the turn has time left;
 * 2. in turns: messages wait in the queue of their device, and each turn of the event loop handles one message after
 *    another, of one device after another, until its time is over. Figures give way to everything else, since newer ones
 *    supersede them: what a fleet sends would otherwise keep the rest of it from connecting.
 */
export class Intake {
  readonly #options: IntakeOptions
  readonly #figures = new QueueLine()
  readonly #others = new QueueLine()
  #isTurnOfFigures = false
  #spentMs = 0
  #dialledMs = Number.NEGATIVE_INFINITY
  #hasTurn = false
  #isClosed = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** Queues with waiting messages. */
  get #length(): number {
    return this.#figures.length + this.#others.length
  }

  /** The number of messages that wait. */
  get size(): number {
    return this.#figures.size + this.#others.size
  }

  /** The time for which the oldest message has been waiting. */
  get behindMs(): number {
    const oldest = Math.min(this.#figures.oldestMs, this.#others.oldestMs)
    return oldest === Number.POSITIVE_INFINITY ? 0 : Math.max(0, this.#options.clock.monotonicMs() - oldest)
  }

  /** The length of a turn now. */
  get #turnMs(): number {
    const { turnMs, isSomebodyWaiting } = this.#options
    if (performance.now() - this.#dialledMs < diallingForMs) return Math.min(turnMs, diallingTurnMs)
    return isSomebodyWaiting() ? Math.min(turnMs, shortTurnMs) : turnMs
  }

  /** A device dials: `accept` is called in its turn. */
  dial(queue: DeviceQueue, accept: () => void): void {
    this.#dialledMs = performance.now()
    this.put(queue, accept)
  }

  put(queue: DeviceQueue, work: Work): void {
    if (this.#isClosed) return
    const turnMs = this.#turnMs
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
    if (queue.waiting.length === 1) this.#add(queue)
  }

  /** Handles all messages of one queue, without a pause. */
  finish(queue: DeviceQueue): void {
    while (queue.waiting.length > 0) queue.takeNext()
  }

  close(): void {
    this.#isClosed = true
    this.#figures.clear()
    this.#others.clear()
  }

  /** By its oldest message, which is the next one. */
  #add(queue: DeviceQueue): void {
    const [oldest] = queue.waiting
    if (oldest) (isFigures(oldest.work) ? this.#figures : this.#others).add(queue)
  }

  #plan(): void {
    if (this.#hasTurn) return
    this.#hasTurn = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#hasTurn = false
    this.#spentMs = 0
    const endMs = performance.now() + this.#turnMs
    while (this.#length > 0) {
      this.#takeOne(this.#nextQueue())
      if (performance.now() >= endMs) break
    }
    if (this.#length > 0) this.#plan()
  }

  /** Takes the queue whose turn it is; the lines must not both be empty. */
  #nextQueue(): DeviceQueue {
    if (this.#others.length === 0) return this.#figures.take()
    if (this.#figures.length === 0) return this.#others.take()
    const waitedMs = this.#options.clock.monotonicMs() - this.#figures.firstMs
    this.#isTurnOfFigures = !this.#isTurnOfFigures && waitedMs >= figuresWaitMs
    return (this.#isTurnOfFigures ? this.#figures : this.#others).take()
  }

  #takeOne(queue: DeviceQueue): void {
    const [oldest] = queue.waiting
    if (!oldest) return
    if (queue.waiting.length > 1 && this.#options.clock.monotonicMs() - oldest.sinceMs >= lateAfterMs)
      this.#shorten(queue)
    try {
      queue.takeNext()
    } finally {
      this.#add(queue)
    }
  }

  #shorten(queue: DeviceQueue): void {
    const superseded = supersede(queue.waiting)
    queue.waiting = superseded.kept
    if (superseded.dropped.length > 0) this.#options.onSuperseded(superseded)
  }
}
