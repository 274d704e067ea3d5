/** Changes of addresses, each of which may cut the unit off for a while: one that failed is not tried again. */
import { isDeepStrictEqual } from 'node:util'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitStep } from './unit-steps.ts'

export interface AddressTrials {
  /** Before the steps are carried out: what is no longer requested may be requested again. */
  planned(steps: readonly UnitStep[]): void
  /** Rejects as before, without a trial, when core still requests addresses that have failed. */
  apply(changes: UnitSettings): Promise<void>
}

export function createAddressTrials(apply: (changes: UnitSettings) => void | Promise<void>): AddressTrials {
  let failed: { ethernet: UnitSettings['ethernet']; why: unknown } | undefined
  const hasFailed = ({ ethernet }: UnitSettings) =>
    failed !== undefined && isDeepStrictEqual(failed.ethernet, ethernet)

  return {
    planned(steps) {
      if (!steps.some((step) => step.do === 'applySettings' && hasFailed(step.changes))) failed = undefined
    },
    async apply(changes) {
      if (failed && hasFailed(changes)) throw failed.why
      try {
        await apply(changes)
      } catch (why) {
        if (changes.ethernet) failed = { ethernet: changes.ethernet, why }
        throw why
      }
    },
  }
}
