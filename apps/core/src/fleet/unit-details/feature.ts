import { type Needs, unitDetailRoutes } from './unit-detail-routes.ts'
import { followRecords } from './unit-syncs.ts'

export function unitDetailsFeature(needs: Needs & Parameters<typeof followRecords>[0]) {
  followRecords(needs)
  return { face: undefined, routes: { units: unitDetailRoutes(needs) } }
}
