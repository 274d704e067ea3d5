import type { inventories as endpoints } from '@backhaul/contract/api/inventories'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Inventories } from './inventories.ts'

export function inventoryRoutes(
  inventories: Inventories,
): Handlers<Omit<typeof endpoints, 'serviceable' | 'units' | 'channels'>> {
  return {
    all: ({ caller, query }) => inventories.page(caller.scope, query),
    enhanced: ({ caller, query }) => inventories.enhancedPage(caller.scope, query),
    count: async ({ caller }) => ({ count: await inventories.count(caller.scope) }),
    async create({ body, note }) {
      const inventory = await inventories.create(body)
      note({ objectId: inventory.id, inventoryId: inventory.id, details: body })
      return inventory
    },
    async update({ params, body, note }) {
      const inventory = await inventories.update(params.id, body)
      note({ inventoryId: params.id, details: body })
      return inventory
    },
    async remove({ params, note }) {
      await inventories.remove(params.id)
      note({ inventoryId: params.id })
      return { done: true }
    },
    properties: async ({ caller, params }) => (await inventories.get(caller.scope, params.id)).properties,
    async setProperty({ params, body, note }) {
      const properties = await inventories.setProperty(params.id, params.name, body.value)
      note({ inventoryId: params.id, details: { [params.name]: body.value } })
      return properties
    },
  }
}
