import type { ifb as endpoints } from '@backhaul/contract/api/ifb'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitIfbs } from './ifb.ts'

export function ifbRoutes(ifbs: UnitIfbs): Handlers<typeof endpoints> {
  return {
    read: ({ caller, params }) => ifbs.settings(caller.scope, params.id),
    async setDelay({ caller, params, body, note }) {
      note({ objectKind: 'units', details: body })
      return await ifbs.change(caller, params.id, { delay: body.delay })
    },
    async setAlwaysOn({ caller, params, body, note }) {
      note({ objectKind: 'units', details: body })
      return await ifbs.change(caller, params.id, { alwaysOn: body.enabled })
    },
  }
}
