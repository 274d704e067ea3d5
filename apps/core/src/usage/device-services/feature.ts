import type { SystemSettings } from '../../platform/system-settings/system-settings.ts'
import { createDeviceServices } from './device-services.ts'

type Needs = Parameters<typeof createDeviceServices>[0] & { systemSettings: SystemSettings }

export function deviceServicesFeature(needs: Needs) {
  const deviceServices = createDeviceServices(needs)
  return {
    face: deviceServices,
    routes: { deviceServices: needs.systemSettings.settingRoutes(deviceServices.store) },
    start: deviceServices.start,
    stop: deviceServices.stop,
  }
}
