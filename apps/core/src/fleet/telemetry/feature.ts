import { createTelemetry } from './telemetry.ts'
import { feedRoutes, telemetryRoutes } from './telemetry-routes.ts'

export function telemetryFeature(needs: Parameters<typeof createTelemetry>[0]) {
  const telemetry = createTelemetry(needs)
  return {
    face: telemetry,
    routes: {
      units: telemetryRoutes(telemetry, needs.clock),
      channels: feedRoutes(telemetry, needs.clock),
    },
    start: telemetry.start,
    stop: telemetry.stop,
  }
}
