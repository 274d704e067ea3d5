import { createUnitIntercom } from './intercom.ts'
import { intercomRoutes } from './intercom-routes.ts'

export function intercomFeature(needs: Parameters<typeof createUnitIntercom>[0]) {
  const intercom = createUnitIntercom(needs)
  return {
    face: intercom,
    routes: { intercom: intercomRoutes(intercom) },
    start: intercom.resume,
    stop: intercom.close,
  }
}
