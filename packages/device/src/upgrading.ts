/** Installing other software on order: reports the progress and the reason of a failure to core. */
import type { Reason, Wording } from '@backhaul/contract/define/refusals'
import type { Order, UpgradeProgress } from '@backhaul/contract/gateway/gateway'
import { UpgradeArgs } from '@backhaul/contract/gateway/shared'
import { upgradeResults } from '@backhaul/contract/nouns/upgrades'
import { cutReason, Refused, wordingOfError } from './refused.ts'

/** Resolves when the version is installed, to be run from the next start on; rejects with an UpgradeFailed. */
export type Upgrade = (wanted: UpgradeArgs, tellPercent: (percent: number) => void) => Promise<void>

/** Carries one of the codes of upgradeResults, and the exact reason where there is one. */
export class UpgradeFailed extends Refused {
  readonly code: number
  constructor(code: number, why: Reason = upgradeResults[code] ?? 'upgrade.installFailed') {
    super(why)
    this.code = code
  }
}

export const INSTALL_FAILED = 101
export const NETWORK_PROBLEM = 105
export const NO_REPOSITORY = 106

export interface Upgrading {
  isRunning(): boolean
  /** Resolves with the version that is installed; rejects with the reason, which has been reported to core. */
  run(args: Order['args']): Promise<string>
}

interface UpgradingOptions {
  upgrade: Upgrade | undefined
  /** Throws while the device is busy. */
  requireIdle: () => void
  send: (progress: UpgradeProgress) => void
  onChange: () => void
}

export function createUpgrading({ upgrade, requireIdle, send, onChange }: UpgradingOptions): Upgrading {
  let isRunning = false
  return {
    isRunning: () => isRunning,
    async run(args) {
      if (!upgrade) throw new Refused('upgrade.unsupported')
      if (isRunning) throw new Refused('upgrade.running')
      const wanted = UpgradeArgs.parse(args)
      const { upgradeId, version } = wanted
      requireIdle()
      let reached = 0
      const report = (percent: number, resultCode: number | null = null, why?: Wording) => {
        reached = percent
        const reason = why && cutReason(why)
        send({ type: 'upgradeProgress', upgradeId, percent, resultCode, ...reason })
      }
      isRunning = true
      onChange()
      try {
        report(0)
        await upgrade(wanted, (percent) => report(percent))
        return version
      } catch (error) {
        const code = error instanceof UpgradeFailed ? error.code : INSTALL_FAILED
        report(reached, code, wordingOfError(error))
        throw error
      } finally {
        isRunning = false
        onChange()
      }
    },
  }
}
