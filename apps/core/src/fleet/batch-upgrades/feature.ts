import { batchUpgradeRoutes } from './batch-upgrade-routes.ts'
import { createBatchUpgrades } from './batch-upgrades.ts'

export function batchUpgradesFeature(needs: Parameters<typeof createBatchUpgrades>[0]) {
  const batchUpgrades = createBatchUpgrades(needs)
  return {
    face: batchUpgrades,
    routes: { batchUpgrades: batchUpgradeRoutes(batchUpgrades) },
    start: batchUpgrades.start,
    stop: batchUpgrades.stop,
  }
}
