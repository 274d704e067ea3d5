import { unitServiceRoutes } from './unit-service-routes.ts'
import { createUnitServices } from './unit-services.ts'

export function unitServicesFeature(needs: Parameters<typeof createUnitServices>[0]) {
  const unitServices = createUnitServices(needs)
  return { face: unitServices, routes: { unitServices: unitServiceRoutes(unitServices) } }
}
