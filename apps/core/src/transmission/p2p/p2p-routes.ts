import type { p2p as endpoints } from '@backhaul/contract/api/p2p'
import type { Handlers } from '../../doors/api/bind.ts'
import type { PointToPoint } from './p2p.ts'

export function pointToPointRoutes(p2p: PointToPoint): Handlers<typeof endpoints> {
  return {
    one: ({ caller, params }) => p2p.one(caller.scope, params.id),
    async create({ caller, params: { id }, body, note }) {
      const made = await p2p.create(caller, id, body.destinationChannelUid)
      note({ objectKind: 'units', objectId: id, details: body })
      return made
    },
    async change({ caller, params: { id }, body, note }) {
      const changed = await p2p.change(caller, id, body.destinationChannelUid)
      note({ objectKind: 'units', objectId: id, details: body })
      return changed
    },
    async remove({ caller, params: { id }, note }) {
      await p2p.remove(caller.scope, id)
      note({ objectKind: 'units', objectId: id })
      return { done: true }
    },
    async start({ caller, params: { id }, note }) {
      note({ objectKind: 'units', objectId: id })
      return { accepted: true, commandId: await p2p.start(caller, id) }
    },
    async stop({ caller, params: { id }, note }) {
      note({ objectKind: 'units', objectId: id })
      return { accepted: true, commandId: await p2p.stop(caller, id) }
    },
    groups: ({ caller, params }) => p2p.groups(caller.scope, params.id),
    async setGroups({ caller, params: { id }, body, note }) {
      const groups = await p2p.setGroups(caller, id, body.groups)
      note({ objectKind: 'units', objectId: id, details: body })
      return groups
    },
    selectedGroups: ({ caller, params }) => p2p.selectedGroups(caller.scope, params.id),
  }
}
