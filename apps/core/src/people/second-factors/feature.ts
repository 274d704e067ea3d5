import { secondFactorRoutes } from './second-factor-routes.ts'
import { createSecondFactors } from './second-factors.ts'

export function secondFactorsFeature(needs: Parameters<typeof createSecondFactors>[0]) {
  const secondFactors = createSecondFactors(needs)
  return { face: secondFactors, routes: { secondFactors: secondFactorRoutes(secondFactors) } }
}
