import type { licences as endpoints } from '@backhaul/contract/api/licences'
import { NotAllowed } from '@backhaul/contract/define/errors'
import { mayActivate } from '@backhaul/contract/nouns/licences'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Licences } from './licences.ts'

/** Activation needs a permission of the user in addition to the role (RO-PERM-33). */
function requireActivationRight(caller: Caller): void {
  if (!mayActivate(caller)) throw new NotAllowed()
}

export function licenceRoutes(licences: Licences): Handlers<typeof endpoints> {
  return {
    async ofInventory({ caller, params }) {
      requireActivationRight(caller)
      return await licences.ofInventory(caller.scope, params.id)
    },
    async assign({ caller, params, body, note }) {
      note({ details: body })
      requireActivationRight(caller)
      const assigned = await licences.assign(caller.scope, params.id, params.unit, body)
      // Until here both ids are as the caller gave them: a refused attempt must not reveal them to a customer.
      note({ objectKind: 'units', objectId: params.unit, inventoryId: params.id })
      return assigned
    },
    async removeLimit({ caller, params, note }) {
      requireActivationRight(caller)
      const unit = await licences.removeLimit(caller.scope, params.id, params.unit)
      note({ objectKind: 'units', objectId: params.unit, inventoryId: params.id })
      return unit
    },
    stock: ({ params }) => licences.stock(params.id),
    async setStock({ params, body, note }) {
      note({ details: body })
      const stock = await licences.setStock(params.id, body)
      note({ inventoryId: params.id })
      return stock
    },
  }
}
