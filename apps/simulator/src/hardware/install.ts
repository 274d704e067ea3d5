/** Simulated installation: the version is fetched and installed in steps, and fails with the code of the fault. */
import { type Upgrade, UpgradeFailed } from '@backhaul/device/upgrading'
import type { Clock } from '@backhaul/runtime/clock'

const stepMs = 1000
const percentOfStep = 5
/** Up to this share it is being fetched, and needs the network. */
const fetchedAtPercent = 60
const networkProblem = 105
const noRepository = 106
const backupFailed = 107

interface Machine {
  clock: Clock
  /** False while it has no network. */
  hasNetwork: () => boolean
  /** False where the backup of the present version does not fit. */
  hasRoom: () => boolean
}

export const createInstall =
  ({ clock, hasNetwork, hasRoom }: Machine): Upgrade =>
  async ({ path }, tellPercent) => {
    if (path === '') throw new UpgradeFailed(noRepository)
    if (!hasRoom()) throw new UpgradeFailed(backupFailed)
    for (let percent = percentOfStep; percent <= 100; percent += percentOfStep) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, stepMs))
      if (percent <= fetchedAtPercent && !hasNetwork()) throw new UpgradeFailed(networkProblem)
      tellPercent(percent)
    }
  }
