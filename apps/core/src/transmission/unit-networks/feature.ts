import { createModemDataMeter } from './modem-data.ts'
import { unitNetworkRoutes } from './unit-network-routes.ts'
import { createUnitNetworks } from './unit-networks.ts'

type Needs = Parameters<typeof createModemDataMeter>[0] &
  Omit<Parameters<typeof createUnitNetworks>[0], 'modemData'>

export function unitNetworksFeature(needs: Needs) {
  const modemData = createModemDataMeter(needs)
  const unitNetworks = createUnitNetworks({ ...needs, modemData })
  return {
    face: unitNetworks,
    routes: { unitNetworks: unitNetworkRoutes(unitNetworks) },
    start: modemData.start,
    stop: modemData.stop,
  }
}
