import { createDeviceAdministration } from './device-administration.ts'
import { deviceAdministrationRoutes } from './device-administration-routes.ts'

export function deviceAdministrationFeature(needs: Parameters<typeof createDeviceAdministration>[0]) {
  const deviceAdministration = createDeviceAdministration(needs)
  return {
    face: deviceAdministration,
    routes: { deviceAdministration: deviceAdministrationRoutes(deviceAdministration) },
  }
}
