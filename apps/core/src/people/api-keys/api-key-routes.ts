import type { apiKeys as endpoints } from '@backhaul/contract/api/api-keys'
import type { Handlers } from '../../doors/api/bind.ts'
import type { ApiKeys } from './api-keys.ts'

export function apiKeyRoutes(apiKeys: ApiKeys): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => apiKeys.page(caller.scope, query),
    async create({ caller, body, note }) {
      const made = await apiKeys.create(caller, body)
      const { id, inventoryId, name, role, prefix, expiresOn } = made
      note({ objectId: id, inventoryId, details: { name, role, prefix, expiresOn } })
      return made
    },
    async remove({ caller, params, note }) {
      const { inventoryId, name, role, prefix, username } = await apiKeys.revoke(caller.scope, params.id)
      note({ inventoryId, details: { name, role, prefix, username } })
      return { done: true }
    },
  }
}
