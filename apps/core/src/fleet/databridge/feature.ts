import { createDatabridge } from './databridge.ts'
import { databridgeRoutes } from './databridge-routes.ts'

export function databridgeFeature(needs: Parameters<typeof createDatabridge>[0]) {
  const databridge = createDatabridge(needs)
  return { face: databridge, routes: { databridge: databridgeRoutes(databridge) } }
}
