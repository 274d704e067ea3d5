import { createIfb } from './ifb.ts'
import { ifbRoutes } from './ifb-routes.ts'

export function ifbFeature(needs: Parameters<typeof createIfb>[0]) {
  const ifb = createIfb(needs)
  return { face: ifb, routes: { ifb: ifbRoutes(ifb) }, start: ifb.start, stop: ifb.stop }
}
