// Limits the failures of one address in a minute, so that a key or a code cannot be guessed.
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../database/schema.ts'
import { sharedLookup } from '../database/shared-lookup.ts'
import { recentAttempts, recordAttempts } from './attempts.ts'
import { lineOf } from './source-address.ts'

const failuresAtMost = 10
/** Within this time the database is not read again for an address that has not failed: only another core could know more. */
const readAgainAfterMs = 500

/** The attempts of one address in this process; what has failed before is in the database. */
interface Address {
  /** The number of attempts that have not ended. */
  entered: number
  /** Those that may still turn out to be guesses, in the order in which they entered. */
  undecided: object[]
  failed: number
  /** The failures in the database, as last read; absent when one was added since. */
  recent: { failures: number; readMs: number } | undefined
  waiting: (() => void)[]
}

export interface Attempt {
  /**
   * Whether it may be answered, which is asked when its key or code has been looked up, be it right or wrong: false when the
   * address has failed too often. Waits while the attempts that entered before it could all together fail too often.
   */
  mayProceed(): Promise<boolean>
  /** The key or code is right: others need not wait for what follows. */
  isNoGuess(): void
  /** Called once, when the attempt is over. */
  end(hasFailed: boolean): Promise<void>
}

export interface FailureLimit {
  /** Undefined when the address has failed too often. */
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

  async function recentOf(address: Address, key: string): Promise<number> {
    for (;;) {
      const { failed, recent } = address
      const readMs = clock.monotonicMs()
      if (recent && readMs - recent.readMs < readAgainAfterMs) return recent.failures
      const failures = await failuresOf(key)
      // Else one failed while the database was read.
      if (address.failed !== failed) continue
      address.recent = { failures, readMs }
      return failures
    }
  }

  async function mayProceed(address: Address, key: string, attempt: object): Promise<boolean> {
    for (;;) {
      const recent = await recentOf(address, key)
      if (recent >= failuresAtMost) return false
      if (recent + address.undecided.indexOf(attempt) < failuresAtMost) return true
      await new Promise<void>((resolve) => address.waiting.push(resolve))
    }
  }

  function decided(address: Address, attempt: object): void {
    const at = address.undecided.indexOf(attempt)
    if (at < 0) return
    address.undecided.splice(at, 1)
    for (const wake of address.waiting.splice(0)) wake()
  }

  return {
    async enter(from) {
      const line = lineOf(from)
      const key = `${purpose} address ${line}`
      const fresh: Address = { entered: 0, undecided: [], failed: 0, recent: undefined, waiting: [] }
      const address = addresses.get(line) ?? fresh
      addresses.set(line, address)
      const attempt = {}
      address.entered++
      address.undecided.push(attempt)
      const leave = () => {
        decided(address, attempt)
        address.entered--
        if (address.entered === 0) addresses.delete(line)
      }
      let isAdmitted = false
      try {
        isAdmitted = (await recentOf(address, key)) < failuresAtMost
      } finally {
        if (!isAdmitted) leave()
      }
      if (!isAdmitted) return undefined
      return {
        mayProceed: () => mayProceed(address, key, attempt),
        isNoGuess: () => decided(address, attempt),
        async end(hasFailed) {
          try {
            if (hasFailed) await recordAttempts(db, [key], clock.nowMs())
          } finally {
            if (hasFailed) {
              address.failed++
              address.recent = undefined
            }
            leave()
          }
        },
      }
    },
  }
}
