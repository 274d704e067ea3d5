import type { unitPairing as endpoints } from '@backhaul/contract/api/unit-pairing'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitPairings } from './unit-pairing.ts'

/** The code itself is in no log. */
export function unitPairingRoutes(unitPairings: UnitPairings): Handlers<typeof endpoints> {
  return {
    code: ({ caller, params }) => unitPairings.of(caller.scope, params.id),
    setMode({ caller, params, body, note }) {
      note({ details: body })
      return unitPairings.setMode(caller.scope, params.id, body.mode)
    },
    renew: ({ caller, params }) => unitPairings.renew(caller.scope, params.id),
    async remove({ caller, params }) {
      await unitPairings.remove(caller, params.id)
      return { done: true }
    },
  }
}
