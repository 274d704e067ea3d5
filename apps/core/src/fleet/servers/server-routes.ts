import type { servers as endpoints } from '@backhaul/contract/api/servers'
import { NotFound } from '@backhaul/contract/define/errors'
import { smpteState } from '@backhaul/contract/nouns/smpte'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Servers } from './servers.ts'

export function serverRoutes(servers: Servers): Handlers<typeof endpoints> {
  return {
    ofGroup: ({ caller, params }) => servers.ofGroup(caller.scope, params.id),
    groups: ({ caller, params }) => servers.groupsOf(caller.scope, params.id),
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
    specifications: ({ caller, params }) => servers.specifications(caller.scope, params.id),
    comment: ({ caller, params }) => ({ comment: servers.get(caller.scope, params.id).comment }),
    mmhServer({ caller, params }) {
      const server = servers.get(caller.scope, params.id)
      if (server.type !== 'mmh_server') throw new NotFound('server')
      return server
    },
    ofInventory({ caller, params }) {
      const server = servers.get(caller.scope, params.id)
      if (server.inventoryId !== params.inv) throw new NotFound('server')
      return server
    },
    services: ({ caller, params }) => [...servers.services(caller.scope, params.id)],
    smpte({ caller, params }) {
      servers.get(caller.scope, params.id)
      return smpteState(servers.smpte(params.id))
    },
  }
}
