// Limits the failures of one address in a minute, so that a key or a code cannot be guessed.
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../database/schema.ts'
import { recentAttempts, recordAttempts, windowMs } from './attempts.ts'
import { lineOf } from './source-address.ts'

const failuresAtMost = 10

/** The attempts of one address in this process, while there are any. */
interface Address {
  entered: number
  /** Those that may still turn out to be guesses. */
  running: number
  /** When it failed: as stored when its first attempt entered, and since then here, as no other process counts. */
  failuresMs: Promise<number[]>
  waiting: (() => void)[]
}

export interface Attempt {
  /** The key or code is right: others need not wait for what follows. */
  isNoGuess(): void
  /** Called once, when the attempt is over. */
  end(hasFailed: boolean): Promise<void>
}

export interface FailureLimit {
  /**
   * Undefined when the address has failed too often. Waits while the attempts that are running for it could all together
   * fail too often.
   */
  enter(address: string): Promise<Attempt | undefined>
}

/** Failures of one `purpose` count together. */
export function createFailureLimit(
  { db, clock }: { db: Database; clock: Clock },
  purpose: string,
): FailureLimit {
  const addresses = new Map<string, Address>()

  const storedFailures = async (key: string) =>
    (await recentAttempts(db, key, clock.nowMs())).map(({ at_ms }) => at_ms)

  /** Times in the future are from before the clock was set back. */
  function recent(failuresMs: readonly number[]): number[] {
    const nowMs = clock.nowMs()
    return failuresMs.filter((atMs) => atMs > nowMs - windowMs && atMs <= nowMs)
  }

  /** False when too many have failed; else the attempt counts as running. */
  async function admit(address: Address): Promise<boolean> {
    const failuresMs = await address.failuresMs
    for (;;) {
      const failed = recent(failuresMs).length
      if (failed >= failuresAtMost) return false
      if (failed + address.running < failuresAtMost) break
      await new Promise<void>((resolve) => address.waiting.push(resolve))
    }
    address.running++
    return true
  }

  function stopRunning(address: Address): void {
    address.running--
    for (const wake of address.waiting.splice(0)) wake()
  }

  return {
    async enter(from) {
      const line = lineOf(from)
      const key = `${purpose} address ${line}`
      const address = addresses.get(line) ?? {
        entered: 0,
        running: 0,
        failuresMs: storedFailures(key),
        waiting: [],
      }
      addresses.set(line, address)
      address.entered++
      const leave = () => {
        address.entered--
        if (address.entered === 0) addresses.delete(line)
      }
      let isAdmitted = false
      try {
        isAdmitted = await admit(address)
      } finally {
        if (!isAdmitted) leave()
      }
      if (!isAdmitted) return undefined
      let isRunning = true
      const isNoGuess = () => {
        if (isRunning) stopRunning(address)
        isRunning = false
      }
      return {
        isNoGuess,
        async end(hasFailed) {
          try {
            if (hasFailed) {
              const atMs = clock.nowMs()
              const failuresMs = await address.failuresMs
              failuresMs.splice(0, failuresMs.length, ...recent(failuresMs), atMs)
              await recordAttempts(db, [key], atMs)
            }
          } finally {
            isNoGuess()
            leave()
          }
        },
      }
    },
  }
}
