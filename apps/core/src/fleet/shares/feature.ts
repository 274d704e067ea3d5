import { shareRoutes } from './share-routes.ts'
import { createShares } from './shares.ts'

export function sharesFeature(needs: Parameters<typeof createShares>[0]) {
  const shares = createShares(needs)
  return { face: shares, routes: { shares: shareRoutes(shares) }, start: shares.start }
}
