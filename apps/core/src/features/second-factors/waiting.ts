// What waits for its second step: held for some minutes under a secret that is told once, and taken once.
import { randomBytes } from 'node:crypto'
import type { Clock } from '@backhaul/runtime/clock'

/** Beyond so many the oldest goes: whoever it belonged to starts again. */
const heldAtMost = 10_000

interface Held {
  userId: string
  untilMs: number
}

export interface Waiting<T> {
  /** Answers the secret. */
  put(value: T): string
  /** Undefined for what is unknown, taken or too old. */
  take(secret: string): (T & Held) | undefined
  /** After a failed try: it waits until the same end. */
  putBack(secret: string, value: T & Held): void
  dropOf(userId: string): void
}

export function createWaiting<T extends { userId: string }>(clock: Clock, lastsMs: number): Waiting<T> {
  const held = new Map<string, T & Held>()

  /** In the order of their arrival, so that the first that counts ends the search. */
  function sweep(): void {
    for (const [secret, { untilMs }] of held) {
      if (untilMs > clock.nowMs() && held.size < heldAtMost) return
      held.delete(secret)
    }
  }

  return {
    put(value) {
      sweep()
      const secret = randomBytes(24).toString('base64url')
      held.set(secret, { ...value, untilMs: clock.nowMs() + lastsMs })
      return secret
    },
    take(secret) {
      const found = held.get(secret)
      held.delete(secret)
      return found && found.untilMs > clock.nowMs() ? found : undefined
    },
    putBack: (secret, value) => void held.set(secret, value),
    dropOf(userId) {
      for (const [secret, value] of held) if (value.userId === userId) held.delete(secret)
    },
  }
}
