import { createUnitPairings } from './unit-pairing.ts'
import { unitPairingRoutes } from './unit-pairing-routes.ts'

export function unitPairingFeature(needs: Parameters<typeof createUnitPairings>[0]) {
  const unitPairings = createUnitPairings(needs)
  return { face: unitPairings, routes: { unitPairing: unitPairingRoutes(unitPairings) } }
}
