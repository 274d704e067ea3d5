import { type Needs, unitDetailRoutes } from './unit-detail-routes.ts'

export function unitDetailsFeature(needs: Needs) {
  return { face: undefined, routes: { units: unitDetailRoutes(needs) } }
}
