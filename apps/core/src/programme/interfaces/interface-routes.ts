import type { interfaces as endpoints } from '@backhaul/contract/api/interfaces'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Interfaces } from './interfaces.ts'

export function interfaceRoutes(interfaces: Interfaces): Handlers<typeof endpoints> {
  return {
    tallies: ({ caller, params }) => interfaces.tallies(caller, params.id),
    ifbs: ({ caller, params }) => interfaces.ifbs(caller.scope, params.id),
    async associateTally({ caller, params, body, note }) {
      note({ details: body })
      const tally = await interfaces.associateTally(caller, params.id, body.tally, body.channel)
      note({ objectId: tally.id, inventoryId: params.id })
      return tally
    },
    async lightTally({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      await interfaces.lightTally(caller, params.id, body.onAir)
      return { accepted: true }
    },
    async associateIfb({ caller, params, body, note }) {
      note({ details: body })
      const ifb = await interfaces.associateIfb(caller.scope, params.id, body.ifb, body.channel)
      note({ objectId: ifb.id, inventoryId: params.id })
      return ifb
    },
    async availableIfbs({ caller, params }) {
      const ifbs = await interfaces.ifbs(caller.scope, params.id)
      return ifbs.filter(({ online, channel }) => online && channel === null)
    },
    async usedIfbs({ caller, params }) {
      const ifbs = await interfaces.ifbs(caller.scope, params.id)
      return { count: ifbs.filter(({ channel }) => channel !== null).length }
    },
    async frozenIfbs({ caller, params }) {
      const ifbs = await interfaces.ifbs(caller.scope, params.id)
      return { count: ifbs.filter(({ frozen }) => frozen).length }
    },
  }
}
