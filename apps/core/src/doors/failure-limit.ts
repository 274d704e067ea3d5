// Limits the failures of one address in a minute, so that a key or a code cannot be guessed.
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../database/schema.ts'
import { sharedLookup } from '../database/shared-lookup.ts'
import { recentAttempts, recordAttempts } from './attempts.ts'
import { lineOf } from './source-address.ts'

const failuresAtMost = 10

/** The attempts of one address in this process; what has failed before is in the database. */
interface Address {
  entered: number
  /** Those that may still turn out to be guesses. */
  running: number
  failed: number
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

  /** A fleet behind one address registers at the same moment, and is counted once. */
  const failuresOf = sharedLookup(async (key) => (await recentAttempts(db, key, clock.nowMs())).length)

  /** False when too many have failed; else the attempt counts as running. */
  async function admit(address: Address, key: string): Promise<boolean> {
    for (;;) {
      const { failed } = address
      const recent = await failuresOf(key)
      // One failed while the database was read.
      if (address.failed !== failed) continue
      if (recent >= failuresAtMost) return false
      if (recent + address.running < failuresAtMost) break
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
      const address = addresses.get(line) ?? { entered: 0, running: 0, failed: 0, waiting: [] }
      addresses.set(line, address)
      address.entered++
      const leave = () => {
        address.entered--
        if (address.entered === 0) addresses.delete(line)
      }
      let isAdmitted = false
      try {
        isAdmitted = await admit(address, key)
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
            if (hasFailed) await recordAttempts(db, [key], clock.nowMs())
          } finally {
            if (hasFailed) address.failed++
            isNoGuess()
            leave()
          }
        },
      }
    },
  }
}
