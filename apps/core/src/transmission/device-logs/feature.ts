import { deviceLogRoutes } from './device-log-routes.ts'
import { createDeviceLogs } from './device-logs.ts'

export function deviceLogsFeature(needs: Parameters<typeof createDeviceLogs>[0]) {
  const deviceLogs = createDeviceLogs(needs)
  return {
    face: deviceLogs,
    routes: { deviceLogs: deviceLogRoutes(deviceLogs) },
    start: deviceLogs.start,
    stop: deviceLogs.stop,
  }
}
