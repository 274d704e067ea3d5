import { interfaceRoutes } from './interface-routes.ts'
import { createInterfaces } from './interfaces.ts'

export function interfacesFeature(needs: Parameters<typeof createInterfaces>[0]) {
  const interfaces = createInterfaces(needs)
  return { face: interfaces, routes: { interfaces: interfaceRoutes(interfaces) }, start: interfaces.start }
}
