import { userDetailRoutes } from './user-detail-routes.ts'
import { createUserDetails } from './user-details.ts'

export function userDetailsFeature(needs: Parameters<typeof createUserDetails>[0]) {
  const userDetails = createUserDetails(needs)
  return { face: userDetails, routes: { userDetails: userDetailRoutes(userDetails) } }
}
