import type { ipPipe as endpoints } from '@backhaul/contract/api/ip-pipe'
import type { Handlers } from '../../doors/api/bind.ts'
import type { IpPipes } from './ip-pipe.ts'
import type { IpPipeSessions } from './ip-pipe-sessions.ts'

export function ipPipeRoutes(pipes: IpPipes, sessions: IpPipeSessions): Handlers<typeof endpoints> {
  return {
    async setUnit({ caller, params, body, note }) {
      note({ details: body })
      await pipes.setUnit(caller.scope, params.id, body)
      return { done: true }
    },
    connect: async ({ caller, params }) => ({
      accepted: true,
      commandId: await sessions.connect(caller, params.id),
    }),
    disconnect: async ({ caller, params }) => ({
      accepted: true,
      commandId: await sessions.disconnect(caller, params.id),
    }),
    servers: ({ caller, params, query }) => pipes.servers(caller.scope, params.inv, query),
    configuration: ({ caller, params }) => pipes.configuration(caller.scope, params.id),
    async configure({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      const configuration = await pipes.configure(caller.scope, params.id, body)
      await sessions.configured(params.id)
      return configuration
    },
    async changeConfiguration({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      const configuration = await pipes.configure(caller.scope, params.id, body)
      await sessions.configured(params.id)
      return configuration
    },
    ethernets: ({ caller, params }) => pipes.ethernets(caller.scope, params.id),
  }
}
