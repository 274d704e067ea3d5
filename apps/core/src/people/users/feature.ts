import { administrationRoutes, userRoutes } from './user-routes.ts'
import { createUsers } from './users.ts'

export function usersFeature(needs: Parameters<typeof createUsers>[0]) {
  const users = createUsers(needs)
  return { face: users, routes: { client: userRoutes(users), users: administrationRoutes(users) } }
}
