import type { inventories as endpoints } from '@backhaul/contract/api/inventories'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Inventories } from './inventories.ts'

export function inventoryRoutes(inventories: Inventories): Handlers<typeof endpoints> {
  return {
    all: ({ caller, query }) => inventories.page(caller.scope, query),
    enhanced: ({ caller, query }) => inventories.enhancedPage(caller.scope, query),
    count: async ({ caller }) => ({ count: await inventories.count(caller.scope) }),
    async create({ body, note }) {
      note({ details: body })
      const inventory = await inventories.create(body)
      note({ objectId: inventory.id, inventoryId: inventory.id })
      return inventory
    },
    async update({ caller, params, body, note }) {
      note({ inventoryId: params.id, details: body })
      return await inventories.update(caller.scope, params.id, body)
    },
    async remove({ caller, params, note }) {
      note({ inventoryId: params.id })
      await inventories.remove(caller.scope, params.id)
      return { done: true }
    },
    properties: async ({ caller, params }) => (await inventories.get(caller.scope, params.id)).properties,
    async setProperty({ caller, params, body, note }) {
      note({ inventoryId: params.id, details: { [params.name]: body.value } })
      return await inventories.setProperty(caller.scope, params.id, params.name, body.value)
    },
  }
}
