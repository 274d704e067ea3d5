import type { usageProfiles as endpoints } from '@backhaul/contract/api/usage-profiles'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UsageProfiles } from './usage-profiles.ts'

export function usageProfileRoutes(profiles: UsageProfiles): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => profiles.page(caller.scope, query),
    one: ({ caller, params }) => profiles.get(caller.scope, params.id),
    async create({ caller, body, note }) {
      note({ details: body })
      const profile = await profiles.create(caller.scope, body)
      note({ objectId: profile.id, inventoryId: profile.inventoryId })
      return profile
    },
    async change({ caller, params, body, note }) {
      note({ details: body })
      const profile = await profiles.change(caller.scope, params.id, body)
      note({ inventoryId: profile.inventoryId })
      return profile
    },
    async remove({ caller, params, note }) {
      const { inventoryId } = await profiles.remove(caller.scope, params.id)
      note({ inventoryId })
      return { done: true }
    },
  }
}
