import type { alerts as endpoints } from '@backhaul/contract/api/alerts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Alerts } from './alerts.ts'

export function alertRoutes(alerts: Alerts): Handlers<typeof endpoints> {
  return {
    active: ({ caller, query }) => alerts.active(caller.scope, query.groupId),
  }
}
