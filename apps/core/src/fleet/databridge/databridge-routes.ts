import type { databridge as endpoints } from '@backhaul/contract/api/databridge'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Databridge } from './databridge.ts'

/** It is started and stopped by a later feature. */
export function databridgeRoutes(databridge: Databridge): Handlers<Omit<typeof endpoints, 'start' | 'stop'>> {
  return {
    selected: ({ caller, params }) => ({
      gateway: databridge.selected(caller.scope, params.id),
      ports: [...databridge.ports(caller.scope, params.id)],
    }),
    options: ({ caller, params }) => databridge.options(caller.scope, params.id),
    async select({ caller, params, body, note }) {
      note({ details: body })
      await databridge.select(caller.scope, params.id, body.gateway)
      return { done: true }
    },
    async set({ caller, params, body, note }) {
      note({ details: body })
      await databridge.set(caller.scope, params.id, body)
      return { done: true }
    },
  }
}
