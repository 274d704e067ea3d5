import type { Log } from '@backhaul/runtime/log'
import type { Users } from '../../people/users/users.ts'
import type { SystemSettings } from '../../platform/system-settings/system-settings.ts'
import type { Services } from '../../usage/services/services.ts'
import { withPublishedPassword } from '../demo/demo.ts'
import { createClient, type PageServices } from './client.ts'
import { clientRoutes } from './client-routes.ts'
import { createInternetCheck } from './internet-check.ts'

type Derived =
  | 'servicesInForce'
  | 'applicationConfigurations'
  | 'usersWithPublishedPassword'
  | 'isInternetReachable'
interface Needs extends Omit<Parameters<typeof createClient>[0], Derived> {
  services: Services
  systemSettings: SystemSettings
  users: Users
  isOpenToOthers: boolean
  pageServices: PageServices
  log: Log
}

export function clientFeature(needs: Needs) {
  const internet = createInternetCheck(needs.pageServices.internetCheckUrl, needs.clock, needs.log)
  const client = createClient({
    ...needs,
    isInternetReachable: internet.isReachable,
    servicesInForce: needs.services.inForceIn,
    applicationConfigurations: () => needs.systemSettings.applicationConfigurations.all(),
    usersWithPublishedPassword: async () =>
      needs.isOpenToOthers ? await withPublishedPassword(needs.users) : [],
  })
  return {
    face: client,
    routes: { client: clientRoutes(client) },
    start: internet.start,
    stop: internet.stop,
  }
}
