import { overlayRoutes } from './overlay-routes.ts'
import { createOverlays } from './overlays.ts'

export function overlaysFeature(needs: Parameters<typeof createOverlays>[0]) {
  const overlays = createOverlays(needs)
  return {
    face: overlays,
    routes: { overlays: overlayRoutes(overlays) },
    start: overlays.start,
    stop: overlays.stop,
  }
}
