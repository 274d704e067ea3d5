import type { databridge as endpoints } from '@backhaul/contract/api/databridge'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Databridge } from './databridge.ts'

export function databridgeRoutes(databridge: Databridge): Handlers<typeof endpoints> {
  return {
    selected: ({ caller, params }) => ({ gateway: databridge.selected(caller.scope, params.id) }),
    options: ({ caller, params }) => databridge.options(caller.scope, params.id),
    async select({ caller, params, body, note }) {
      note({ details: body })
      await databridge.select(caller.scope, params.id, body.gateway)
      return { done: true }
    },
  }
}
