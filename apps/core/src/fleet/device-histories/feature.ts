import { createDeviceHistories } from './device-histories.ts'
import { deviceHistoryRoutes } from './device-history-routes.ts'

export function deviceHistoriesFeature(needs: Parameters<typeof createDeviceHistories>[0]) {
  const deviceHistories = createDeviceHistories(needs)
  return {
    face: deviceHistories,
    routes: { deviceHistories: deviceHistoryRoutes(deviceHistories) },
    stop: deviceHistories.stop,
  }
}
