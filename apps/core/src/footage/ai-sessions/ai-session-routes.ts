import type { aiSessions as endpoints } from '@backhaul/contract/api/ai-sessions'
import type { Handlers } from '../../doors/api/bind.ts'
import type { AiSessions } from './ai-sessions.ts'

export function aiSessionRoutes(sessions: AiSessions): Handlers<typeof endpoints> {
  return {
    one: ({ caller, params }) => sessions.of(caller.scope, params.id),
    async start({ caller, params, body, note }) {
      const state = await sessions.start(caller.scope, params.id, body.profile, caller.username)
      note({ objectKind: 'units', details: { profile: state.session?.profileName ?? '' } })
      return state
    },
    async stop({ caller, params, note }) {
      const state = await sessions.end(caller.scope, params.id, caller.username)
      note({ objectKind: 'units' })
      return state
    },
  }
}
