import { upgradeRoutes } from './upgrade-routes.ts'
import { createUpgrades } from './upgrades.ts'

export function upgradesFeature(needs: Parameters<typeof createUpgrades>[0]) {
  const upgrades = createUpgrades(needs)
  return {
    face: upgrades,
    routes: { upgrades: upgradeRoutes(upgrades, needs.units) },
    start: upgrades.start,
    stop: upgrades.stop,
  }
}
