/** Installing other software on order: reports the progress and the reason of a failure to core. */
import type { Order, UpgradeProgress } from '@backhaul/contract/gateway/gateway'
import { UpgradeArgs } from '@backhaul/contract/gateway/shared'
import { upgradeResults } from '@backhaul/contract/nouns/upgrades'
import { Refused } from './refused.ts'

/** Resolves when the version is installed, to be run from the next start on; rejects with an UpgradeFailed. */
export type Upgrade = (
  wanted: Pick<UpgradeArgs, 'version' | 'path'>,
  tellPercent: (percent: number) => void,
) => Promise<void>

/** Carries one of the codes of upgradeResults. */
export class UpgradeFailed extends Refused {
  readonly code: number
  constructor(code: number) {
    super(upgradeResults[code] ?? 'upgrade.installFailed')
    this.code = code
  }
}

const installFailed = 101

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
      const { upgradeId, version, path } = UpgradeArgs.parse(args)
      requireIdle()
      let reached = 0
      const report = (percent: number, resultCode: number | null = null) => {
        reached = percent
        send({ type: 'upgradeProgress', upgradeId, percent, resultCode })
      }
      isRunning = true
      onChange()
      try {
        report(0)
        await upgrade({ version, path }, report)
        return version
      } catch (error) {
        report(reached, error instanceof UpgradeFailed ? error.code : installFailed)
        throw error
      } finally {
        isRunning = false
        onChange()
      }
    },
  }
}
