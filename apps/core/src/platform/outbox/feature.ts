import { createOutbox } from './outbox.ts'
import { outboxRoutes } from './outbox-routes.ts'

export function outboxFeature(needs: Parameters<typeof createOutbox>[0]) {
  const outbox = createOutbox(needs)
  return { face: outbox, routes: { outbox: outboxRoutes(outbox) }, start: outbox.start, stop: outbox.stop }
}
