import { createPointToPoint } from './p2p.ts'
import { pointToPointRoutes } from './p2p-routes.ts'

export function pointToPointFeature(needs: Parameters<typeof createPointToPoint>[0]) {
  const p2p = createPointToPoint(needs)
  return { face: p2p, routes: { p2p: pointToPointRoutes(p2p) } }
}
