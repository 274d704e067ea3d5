// The queues of devices in the order of their turns.
import type { DeviceQueue } from './device-queue.ts'

/** Each queue is in it once. */
export class QueueLine {
  /** Those before `#head` have had their turn. */
  #queues: DeviceQueue[] = []
  #head = 0

  get length(): number {
    return this.#queues.length - this.#head
  }

  /** The number of messages in all of them. */
  get size(): number {
    let size = 0
    for (let at = this.#head; at < this.#queues.length; at++) size += this.#queues[at]?.waiting.length ?? 0
    return size
  }

  /** The time at which the oldest message began to wait; infinite when none does. */
  get oldestMs(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (let at = this.#head; at < this.#queues.length; at++)
      oldest = Math.min(oldest, this.#queues[at]?.waiting[0]?.sinceMs ?? oldest)
    return oldest
  }

  /** The same of the queue whose turn is next; one that was emptied meanwhile is due at once, or it would hold up the others. */
  get firstMs(): number {
    return this.#queues[this.#head]?.waiting[0]?.sinceMs ?? Number.NEGATIVE_INFINITY
  }

  add(queue: DeviceQueue): void {
    this.#queues.push(queue)
  }

  /** The line must not be empty. */
  take(): DeviceQueue {
    const queue = this.#queues[this.#head++] as DeviceQueue
    // Moving the rest to the front now and then costs less than doing it for each.
    if (this.#head > 1000 && this.#head * 2 > this.#queues.length) {
      this.#queues = this.#queues.slice(this.#head)
      this.#head = 0
    }
    return queue
  }

  clear(): void {
    this.#queues = []
    this.#head = 0
  }
}
