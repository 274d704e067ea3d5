import { createWhatsNew } from './whats-new.ts'
import { whatsNewRoutes } from './whats-new-routes.ts'

export function whatsNewFeature(needs: Parameters<typeof createWhatsNew>[0]) {
  const whatsNew = createWhatsNew(needs)
  return { face: whatsNew, routes: { whatsNew: whatsNewRoutes(whatsNew) } }
}
