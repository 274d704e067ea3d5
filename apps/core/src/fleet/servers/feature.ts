import { serverRoutes } from './server-routes.ts'
import { createServers } from './servers.ts'

export function serversFeature(needs: Parameters<typeof createServers>[0]) {
  const servers = createServers(needs)
  return {
    face: servers,
    routes: { servers: serverRoutes(servers) },
    start: servers.start,
    stop: servers.stop,
  }
}
