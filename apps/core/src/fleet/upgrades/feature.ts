import type { Api } from '../../doors/api/api.ts'
import { createPackages } from './packages.ts'
import { upgradeRoutes } from './upgrade-routes.ts'
import { createUpgrades } from './upgrades.ts'

export function upgradesFeature(needs: Parameters<typeof createUpgrades>[0] & { packagesFolder: string }) {
  const upgrades = createUpgrades(needs)
  const packages = createPackages({
    folder: needs.packagesFolder,
    deviceOf: needs.devices.host.deviceOf,
    pathOf: upgrades.pathOf,
  })
  return {
    face: upgrades,
    routes: { upgrades: upgradeRoutes(upgrades, needs.units) },
    bind: ({ app }: Api) => packages.bind(app),
    start: upgrades.start,
    stop: upgrades.stop,
  }
}
