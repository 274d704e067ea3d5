import { databridgeSessionRoutes } from './databridge-session-routes.ts'
import { createDatabridgeSessions } from './databridge-sessions.ts'

export function databridgeSessionsFeature(needs: Parameters<typeof createDatabridgeSessions>[0]) {
  const sessions = createDatabridgeSessions(needs)
  return {
    face: sessions,
    routes: { databridge: databridgeSessionRoutes(sessions) },
    start: sessions.resume,
    stop: sessions.close,
  }
}
