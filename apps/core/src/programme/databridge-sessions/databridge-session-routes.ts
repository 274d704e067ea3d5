import type { databridge as endpoints } from '@backhaul/contract/api/databridge'
import type { Handlers } from '../../doors/api/bind.ts'
import type { DatabridgeSessions } from './databridge-sessions.ts'

export function databridgeSessionRoutes(
  sessions: DatabridgeSessions,
): Handlers<Pick<typeof endpoints, 'start' | 'stop'>> {
  return {
    start: async ({ caller, params }) => ({
      accepted: true,
      commandId: await sessions.start(caller, params.id),
    }),
    stop: async ({ caller, params }) => ({
      accepted: true,
      commandId: await sessions.stop(caller, params.id),
    }),
  }
}
