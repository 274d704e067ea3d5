import type { overlays as endpoints } from '@backhaul/contract/api/overlays'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Overlays } from './overlays.ts'

export function overlayRoutes(overlays: Overlays): Handlers<typeof endpoints> {
  return {
    list: ({ caller, params }) => overlays.ofInventory(caller.scope, params.id),
    picture: async ({ caller, params }) => ({
      id: params.overlayId,
      png: await overlays.picture(caller.scope, params.id, params.overlayId),
    }),
    async create({ caller, params, body, note }) {
      const overlay = await overlays.create(caller.scope, params.id, body)
      const { id, name, width, height, bytes } = overlay
      note({ objectId: id, inventoryId: overlay.inventory, details: { name, width, height, bytes } })
      return overlay
    },
    async remove({ caller, params, note }) {
      const { id, name, inventory } = await overlays.remove(caller.scope, params.id, params.overlayId)
      note({ objectId: id, inventoryId: inventory, details: { name } })
      return { done: true }
    },
    async choose({ caller, params, body, note }) {
      const chosen = await overlays.choose(caller.scope, params.id, body)
      note({ objectId: params.id, details: { graphic: chosen.name, place: chosen.place } })
      return chosen
    },
    async clear({ caller, params, note }) {
      const inventoryId = await overlays.clear(caller.scope, params.id)
      note({ objectId: params.id, inventoryId })
      return { done: true }
    },
  }
}
