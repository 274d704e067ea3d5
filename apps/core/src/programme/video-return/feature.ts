import { createVideoReturn } from './video-return.ts'
import { videoReturnAdministrationRoutes, videoReturnRoutes } from './video-return-routes.ts'

export function videoReturnFeature(needs: Parameters<typeof createVideoReturn>[0]) {
  const videoReturn = createVideoReturn(needs)
  return {
    face: videoReturn,
    routes: {
      videoReturn: videoReturnRoutes(videoReturn),
      videoReturnAdministration: videoReturnAdministrationRoutes(videoReturn),
    },
    start: videoReturn.resume,
    stop: videoReturn.close,
  }
}
