import type { destinations as endpoints } from '@backhaul/contract/api/destinations'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Channels } from './channels.ts'

export function destinationRoutes(channels: Channels): Handlers<typeof endpoints> {
  const { destinations } = channels
  return {
    ofChannel: ({ caller, body }) => destinations.ofChannel(caller.scope, body.uid),
    async add({ caller, body: { uid, destination }, note }) {
      const added = await destinations.add(caller.scope, uid, destination)
      note({ objectId: uid, details: { added: added.name } })
      return added
    },
    async update({ caller, body: { uid, id, destination }, note }) {
      const changed = await destinations.update(caller.scope, uid, id, destination)
      note({ objectId: uid, details: { changed: changed.name } })
      return changed
    },
    async remove({ caller, body: { uid, id }, note }) {
      await destinations.remove(caller.scope, uid, id)
      note({ objectId: uid, details: { removed: id } })
      return { done: true }
    },
    mediaAccess: ({ caller, body }) =>
      body.uniqueIds.map((id) => {
        const { uniqueId, name, mode, streamingDestinations, rtmpOutputUrls } = channels.get(caller.scope, id)
        return { uniqueId, name, mode, streamingDestinations, rtmpOutputUrls }
      }),
  }
}
