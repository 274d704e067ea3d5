import type { client as clientEndpoints } from '@backhaul/contract/api/client'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Client } from './client.ts'

type Bound = 'configuration' | 'applicationUrls'

export function clientRoutes(client: Client): Handlers<Pick<typeof clientEndpoints, Bound>> {
  return {
    configuration: ({ caller, application }) => client.configuration(caller, application),
    applicationUrls: ({ caller, application }) => client.applicationUrls(caller, application),
  }
}
