import type { videoReturnLinks as endpoints } from '@backhaul/contract/api/video-return-links'
import type { Handlers } from '../../doors/api/bind.ts'
import type { VideoReturnLinks } from './video-return-links.ts'

export function videoReturnLinkRoutes(links: VideoReturnLinks): Handlers<typeof endpoints> {
  return {
    list: ({ caller, params, origin }) => links.list(caller.scope, params.id, origin),
    async create({ caller, params, body, origin, note }) {
      const { link, inventoryId } = await links.create(caller, params.id, body, origin)
      note({ objectId: params.id, inventoryId, details: { ...body, linkId: link.id } })
      return link
    },
    async change({ caller, params, body, origin, note }) {
      const { link, inventoryId } = await links.change(caller.scope, params.id, params.linkId, body, origin)
      note({ objectId: params.id, inventoryId, details: { ...body, linkId: link.id } })
      return link
    },
    async remove({ caller, params, note }) {
      const { inventoryId, description } = await links.remove(caller.scope, params.id, params.linkId)
      note({ objectId: params.id, inventoryId, details: { description, linkId: params.linkId } })
      return { done: true }
    },
    look: ({ params, address }) => links.look(params.token, address),
  }
}
