import { alertRoutes } from './alert-routes.ts'
import { createAlerts } from './alerts.ts'

export function alertsFeature(needs: Parameters<typeof createAlerts>[0]) {
  const alerts = createAlerts(needs)
  return { face: alerts, routes: { alerts: alertRoutes(alerts) }, start: alerts.start, stop: alerts.stop }
}
