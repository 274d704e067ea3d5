import { cdnStreamRoutes } from './cdn-stream-routes.ts'
import { createCdnStreams } from './cdn-streams.ts'

export function cdnStreamsFeature(needs: Parameters<typeof createCdnStreams>[0]) {
  const cdnStreams = createCdnStreams(needs)
  return { face: cdnStreams, routes: { cdnStreams: cdnStreamRoutes(cdnStreams) } }
}
