import { cameraRoutes } from './camera-routes.ts'
import { createCameras } from './cameras.ts'

export function camerasFeature(needs: Parameters<typeof createCameras>[0]) {
  const cameras = createCameras(needs)
  return { face: cameras, routes: { cameras: cameraRoutes(cameras, needs.transmissions) } }
}
