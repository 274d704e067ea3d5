import type { Preferences } from '../../platform/preferences/preferences.ts'
import { groupAdministrationRoutes } from './group-administration-routes.ts'
import { groupLegacyRoutes } from './group-legacy-routes.ts'
import { groupRoutes, groupStartRoutes } from './group-routes.ts'
import { createGroups } from './groups.ts'
import { recipientRoutes } from './recipient-routes.ts'

export function groupsFeature(needs: Parameters<typeof createGroups>[0] & { preferences: Preferences }) {
  const groups = createGroups(needs)
  const currentGroupOf = async (userId: string) => (await needs.preferences.of(userId)).groupId
  return {
    face: groups,
    routes: {
      client: groupStartRoutes(groups),
      groups: groupRoutes(groups, needs.inventories),
      groupAdministration: groupAdministrationRoutes(groups, currentGroupOf),
      groupLegacy: groupLegacyRoutes(groups, currentGroupOf),
      recipients: recipientRoutes(groups, () => needs.outbox.isConnected('email')),
    },
    start: groups.start,
    stop: groups.stop,
  }
}
