import type { groupLegacy } from '@backhaul/contract/api/group-legacy'
import { InvalidRequest } from '@backhaul/contract/define/errors'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Groups } from './groups.ts'

/** `currentGroupOf` answers the group that a user works in now. */
export function groupLegacyRoutes(
  { administration, memberships }: Groups,
  currentGroupOf: (userId: string) => Promise<string | null>,
): Handlers<typeof groupLegacy> {
  return {
    async update({ caller, body: { groupUid, ...changes }, publicOrigin, note }) {
      note({ objectId: groupUid, details: changes })
      return await administration.change(caller.scope, groupUid, changes, publicOrigin)
    },
    async updateDetails({ caller, body: { groupUid, ...changes }, publicOrigin, note }) {
      note({ objectId: groupUid, details: changes })
      return await administration.change(caller.scope, groupUid, changes, publicOrigin)
    },
    async add({ caller, body: { inventoryUid: inventory, ...group }, publicOrigin, note }) {
      note({ inventoryId: inventory, details: group })
      return await administration.create(caller.scope, { inventory, ...group }, publicOrigin)
    },
    async addDetails({ caller, body: { inventoryUid: inventory, ...group }, publicOrigin, note }) {
      note({ inventoryId: inventory, details: group })
      return await administration.create(caller.scope, { inventory, ...group }, publicOrigin)
    },
    async removeMultiple({ caller, body, note }) {
      note({ details: body })
      await administration.remove(caller.scope, body.groupUids, await currentGroupOf(caller.userId))
      return { done: true }
    },
    async fetchDetails({ caller: { scope }, query: { groupUid, inventoryUid } }) {
      if (groupUid !== undefined) return [await administration.one(scope, groupUid)]
      if (inventoryUid === undefined) {
        throw InvalidRequest.at('groupUid', 'field.required')
      }
      return await administration.ofInventory(scope, inventoryUid)
    },
    async fetchMachineGroups({ caller }) {
      const pairs = await memberships('unit', caller.scope)
      return [...Map.groupBy(pairs, ({ memberId }) => memberId)].map(([machineUid, of]) => ({
        machineUid,
        groups: of.map(({ groupId }) => groupId),
      }))
    },
  }
}
