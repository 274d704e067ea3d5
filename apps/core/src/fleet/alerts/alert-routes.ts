import type { alerts as endpoints } from '@backhaul/contract/api/alerts'
import { defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Alerts } from './alerts.ts'

export function alertRoutes({ active, configurations }: Alerts): Handlers<typeof endpoints> {
  return {
    active: ({ caller, query }) => active(caller.scope, query.groupId),
    standard: () => defaultAlertsConfiguration,
    ofGroup: ({ caller, params }) => configurations.ofGroup(caller.scope, params.id),
    async setOfGroup({ caller, params, body, note }) {
      const saved = await configurations.setOfGroup(caller.scope, params.id, body)
      note({ objectKind: 'groups', details: body })
      return saved
    },
    ofUnit: ({ caller, params }) => configurations.ofUnit(caller.scope, params.id),
    async setOfUnit({ caller, params, body, note }) {
      const saved = await configurations.setOfUnit(caller.scope, params.id, body)
      note({ objectKind: 'units', details: body })
      return saved
    },
    possible: ({ caller, params, query }) =>
      configurations.possible(caller.scope, params.id, query.mode, query.groupId),
  }
}
