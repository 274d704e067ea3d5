import type { Users } from '../../people/users/users.ts'
import type { Services } from '../../usage/services/services.ts'
import { withPublishedPassword } from '../demo/demo.ts'
import { createClient } from './client.ts'
import { clientRoutes } from './client-routes.ts'

type Derived = 'servicesInForce' | 'usersWithPublishedPassword'
interface Needs extends Omit<Parameters<typeof createClient>[0], Derived> {
  services: Services
  users: Users
  isOpenToOthers: boolean
}

export function clientFeature(needs: Needs) {
  const client = createClient({
    ...needs,
    servicesInForce: needs.services.inForce,
    usersWithPublishedPassword: async () =>
      needs.isOpenToOthers ? await withPublishedPassword(needs.users) : [],
  })
  return { face: client, routes: { client: clientRoutes(client) } }
}
