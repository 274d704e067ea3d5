import type { unitServices as endpoints } from '@backhaul/contract/api/unit-services'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitServices } from './unit-services.ts'

export function unitServiceRoutes(unitServices: UnitServices): Handlers<typeof endpoints> {
  return {
    add({ caller, params, body, note }) {
      note({ details: { services: body } })
      return unitServices.change(caller, params.id, body, true)
    },
    remove({ caller, params, body, note }) {
      note({ details: { services: body } })
      return unitServices.change(caller, params.id, body, false)
    },
    one: ({ caller, params }) => unitServices.one(caller.scope, params.id, params.svc),
    enable({ caller, params, note }) {
      note({ details: { services: [params.svc] } })
      return unitServices.change(caller, params.id, [params.svc], true)
    },
    disable({ caller, params, note }) {
      note({ details: { services: [params.svc] } })
      return unitServices.change(caller, params.id, [params.svc], false)
    },
  }
}
