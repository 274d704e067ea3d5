import { createDevices } from './devices.ts'
import { pairingRoutes } from './pairing-routes.ts'

export function devicesFeature(needs: Parameters<typeof createDevices>[0]) {
  const devices = createDevices(needs)
  return {
    face: devices,
    routes: { groups: pairingRoutes(devices, needs.groups) },
    start: devices.start,
    stop: devices.stop,
  }
}
