// Counts attempts to sign in, by account and by address, in a window that slides.
import { TooMany } from '@backhaul/contract/define/errors'
import type { Clock } from '@backhaul/runtime/clock'
import { lineOf } from '../source-address.ts'

const windowMs = 60_000
const perAccount = 5
const perAddress = 20
/** When so many keys are held, those without a recent attempt are dropped. */
const keysBeforeSweep = 10_000

export interface Attempts {
  /**
   * Throws TooMany; else counts one attempt, which the answered function takes back when it succeeded. Without a name
   * it counts for the address alone.
   */
  take(username: string | undefined, address: string): () => void
}

export function createAttempts(clock: Clock): Attempts {
  const timesByKey = new Map<string, number[]>()

  function recent(key: string): number[] {
    const since = clock.monotonicMs() - windowMs
    return (timesByKey.get(key) ?? []).filter((time) => time > since)
  }

  function sweep(): void {
    if (timesByKey.size < keysBeforeSweep) return
    for (const key of timesByKey.keys()) if (recent(key).length === 0) timesByKey.delete(key)
  }

  return {
    take(username, address) {
      sweep()
      const nowMs = clock.monotonicMs()
      const limits: [key: string, most: number][] = [[`address ${lineOf(address)}`, perAddress]]
      if (username !== undefined) limits.unshift([`account ${username.toLowerCase()}`, perAccount])
      for (const [key, most] of limits) {
        const times = recent(key)
        const oldest = times[times.length - most]
        if (oldest !== undefined) throw new TooMany(Math.ceil((oldest + windowMs - nowMs) / 1000))
      }
      for (const [key] of limits) timesByKey.set(key, [...recent(key), nowMs])
      return () => {
        for (const [key] of limits) {
          const times = timesByKey.get(key) ?? []
          const index = times.indexOf(nowMs)
          if (index >= 0) timesByKey.set(key, times.toSpliced(index, 1))
        }
      }
    },
  }
}
