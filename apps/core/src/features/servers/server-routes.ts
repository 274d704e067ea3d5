import type { servers as endpoints } from '@backhaul/contract/api/servers'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Servers } from './servers.ts'

export function serverRoutes(servers: Servers): Handlers<typeof endpoints> {
  return {
    one: ({ caller, params }) => servers.get(caller.scope, params.id),
    capabilities: ({ caller, params }) => servers.get(caller.scope, params.id).capabilities,
    addresses({ caller, params }) {
      servers.get(caller.scope, params.id)
      return [...servers.addresses(params.id)]
    },
    status({ caller, params }) {
      const { state, applications, upTime, serverUsage, reportedAt } = servers.get(caller.scope, params.id)
      return { state, applications, upTime, serverUsage, reportedAt }
    },
    services: ({ caller, params }) => [...servers.services(caller.scope, params.id)],
    smpte({ caller, params }) {
      servers.get(caller.scope, params.id)
      return { isConfigured: false, lastUpdate: null }
    },
  }
}
