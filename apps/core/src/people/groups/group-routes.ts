import type { client } from '@backhaul/contract/api/client'
import type { groups as groupEndpoints } from '@backhaul/contract/api/groups'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Groups } from './groups.ts'

export function groupRoutes(
  groups: Groups,
  inventories: Inventories,
): Handlers<Pick<typeof groupEndpoints, 'all' | 'inventories'>> {
  return {
    all: ({ caller }) => groups.all(caller.scope),
    inventories: async ({ caller, query }) =>
      (await inventories.list(caller.scope, query)).map(({ id, name }) => ({ id, name })),
  }
}

export function groupStartRoutes(
  groups: Groups,
): Handlers<Pick<typeof client, 'lightGroups' | 'groupFeatures'>> {
  return {
    lightGroups: ({ caller }) => groups.light(caller.scope),
    groupFeatures: ({ caller, query }) => groups.features(caller.scope, query.uid),
  }
}
