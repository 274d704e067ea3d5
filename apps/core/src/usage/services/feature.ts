import { serviceRoutes } from './service-routes.ts'
import { createServices } from './services.ts'

export function servicesFeature(needs: Parameters<typeof createServices>[0]) {
  const services = createServices(needs)
  return {
    face: services,
    routes: { services: serviceRoutes(services) },
    start: services.start,
    stop: services.stop,
  }
}
