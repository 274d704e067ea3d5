import type { smpte as endpoints } from '@backhaul/contract/api/smpte'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Smpte } from './smpte.ts'

export function smpteRoutes(smpte: Smpte): Handlers<typeof endpoints> {
  return {
    async setServer({ caller, params, body, note }) {
      const state = await smpte.setServer(caller.scope, params.id, body.configuration)
      note({ objectId: params.id, details: body })
      return state
    },
    channel: ({ caller, params }) => smpte.channel(caller.scope, params.id),
    async setChannel({ caller, params, body, note }) {
      const state = await smpte.setChannel(caller.scope, params.id, body.configuration)
      note({ objectId: params.id, details: body })
      return state
    },
  }
}
