import { createIpPipes } from './ip-pipe.ts'
import { ipPipeRoutes } from './ip-pipe-routes.ts'
import { createIpPipeSessions } from './ip-pipe-sessions.ts'

type Needs = Parameters<typeof createIpPipes>[0] & Parameters<typeof createIpPipeSessions>[0]

export function ipPipeFeature(needs: Needs) {
  const pipes = createIpPipes(needs)
  const sessions = createIpPipeSessions(needs, pipes)
  return {
    face: pipes,
    routes: { ipPipe: ipPipeRoutes(pipes, sessions) },
    start: sessions.resume,
    stop: sessions.close,
  }
}
