import type { groupAdministration } from '@backhaul/contract/api/group-administration'
import type { Handler, Handlers } from '../../doors/api/bind.ts'
import type { Groups } from './groups.ts'

type Calls = typeof groupAdministration

/** `currentGroupOf` answers the group that a user works in now. */
export function groupAdministrationRoutes(
  { administration, ends }: Groups,
  currentGroupOf: (userId: string) => Promise<string | null>,
): Handlers<Calls> {
  const one: Handler<Calls['one']> = ({ caller, params }) => administration.one(caller.scope, params.id)
  const change: Handler<Calls['change']> = async ({ caller, params, body, publicOrigin, note }) => {
    const group = await administration.change(caller.scope, params.id, body, publicOrigin)
    note({ inventoryId: group.inventory, details: { name: group.name, ...body } })
    return group
  }
  const remove: Handler<Calls['remove']> = async ({ caller, params, found }) => {
    const current = await currentGroupOf(caller.userId)
    await administration.remove(caller.scope, [params.id], current, found)
    return { done: true }
  }
  const done = { done: true } as const
  return {
    list: ({ caller, query }) => administration.page(caller.scope, query),
    ofInventory: ({ caller, params, query }) => administration.page(caller.scope, query, params.id),
    one,
    oneNewForm: one,
    async create({ caller, body, publicOrigin, note }) {
      note({ inventoryId: body.inventory, details: { ...body } })
      const group = await administration.create(caller.scope, body, publicOrigin)
      note({ objectId: group.uid })
      return group
    },
    change,
    changeNewForm: change,
    remove,
    removeNewForm: remove,
    units: ({ caller, params, query }) => administration.members(caller.scope, params.id, 'unit', query),
    channels: ({ caller, params, query }) =>
      administration.members(caller.scope, params.id, 'channel', query),
    vrChannels: ({ caller, params, query }) =>
      administration.members(caller.scope, params.id, 'vrChannel', query),
    users: ({ caller, params, query }) => administration.members(caller.scope, params.id, 'user', query),
    choices: ({ caller, params, query: { kind, ...query } }) =>
      administration.choices(caller.scope, params.id, kind, query),
    defaultConfiguration: async ({ caller, params }) =>
      (await administration.one(caller.scope, params.id)).defaultConfiguration,
    makeDefaultConfiguration: ({ caller, params, body, note }) => {
      note({ details: body })
      return administration.saveDefaultConfiguration(caller.scope, params.id, body, true)
    },
    changeDefaultConfiguration: ({ caller, params, body, note }) => {
      note({ details: body })
      return administration.saveDefaultConfiguration(caller.scope, params.id, body, false)
    },
    async addUnit({ caller, params: { groupId, id }, note }) {
      await administration.associate(caller.scope, groupId, 'unit', id)
      note({ details: { unit: id } })
      return done
    },
    async removeUnit({ caller, params: { groupId, id }, note }) {
      await administration.disassociate(caller.scope, groupId, 'unit', id)
      note({ details: { unit: id } })
      return done
    },
    expiration: ({ caller, params }) => ends.of(caller.scope, params.currentGroup, params.unitId),
    async setExpiration({ caller, params: { currentGroup, unitId }, body: { duration }, note }) {
      const end = await ends.set(caller.scope, currentGroup, unitId, duration)
      note({ objectKind: 'groups', objectId: currentGroup, details: { unit: unitId, duration, ...end } })
      return end
    },
    async addChannel({ caller, params: { groupId, channelId }, note }) {
      await administration.associate(caller.scope, groupId, 'channel', channelId)
      note({ details: { channel: channelId } })
      return done
    },
    async removeChannel({ caller, params: { groupId, channelId }, note }) {
      await administration.disassociate(caller.scope, groupId, 'channel', channelId)
      note({ details: { channel: channelId } })
      return done
    },
    async addVrChannel({ caller, params: { groupId, id }, note }) {
      await administration.associate(caller.scope, groupId, 'vrChannel', id)
      note({ details: { channel: id } })
      return done
    },
    async removeVrChannel({ caller, params: { groupId, id }, note }) {
      await administration.disassociate(caller.scope, groupId, 'vrChannel', id)
      note({ details: { channel: id } })
      return done
    },
  }
}
