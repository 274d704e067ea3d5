import { aiSessionRoutes } from './ai-session-routes.ts'
import { createAiSessions } from './ai-sessions.ts'

export function aiSessionsFeature(needs: Parameters<typeof createAiSessions>[0]) {
  const aiSessions = createAiSessions(needs)
  return {
    face: aiSessions,
    routes: { aiSessions: aiSessionRoutes(aiSessions) },
    start: aiSessions.resume,
    stop: aiSessions.stop,
  }
}
