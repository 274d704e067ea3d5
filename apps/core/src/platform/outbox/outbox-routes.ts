import type { outbox as endpoints } from '@backhaul/contract/api/outbox'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Outbox } from './outbox.ts'

export function outboxRoutes(outbox: Outbox): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query: { state, search = '', offset, limit } }) =>
      outbox.list(caller.scope, { state, search, offset, limit }),
    async retry({ caller, params }) {
      await outbox.retry(caller.scope, params.id)
      return { done: true }
    },
    async discard({ caller, params }) {
      await outbox.discard(caller.scope, params.id)
      return { done: true }
    },
  }
}
