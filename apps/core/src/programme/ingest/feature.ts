import { createIngest } from './ingest.ts'
import { ingestRoutes } from './ingest-routes.ts'

export function ingestFeature(needs: Parameters<typeof createIngest>[0]) {
  const ingest = createIngest(needs)
  return { face: ingest, routes: { ingest: ingestRoutes(ingest) }, start: ingest.start, stop: ingest.stop }
}
