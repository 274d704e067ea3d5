import { createNewsroom } from './newsroom.ts'
import { newsroomRoutes } from './newsroom-routes.ts'

export function newsroomFeature(needs: Parameters<typeof createNewsroom>[0]) {
  const newsroom = createNewsroom(needs)
  return {
    face: newsroom,
    routes: { ingest: newsroomRoutes(newsroom) },
    start: newsroom.start,
    stop: newsroom.stop,
  }
}
