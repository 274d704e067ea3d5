import type { channelAdministration as endpoints } from '@backhaul/contract/api/channel-administration'
import { PageQuery } from '@backhaul/contract/define/answers'
import { NotFound } from '@backhaul/contract/define/errors'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Channels } from './channels.ts'

type Association = 'inventories' | 'groups' | 'groupsOfInventories' | 'associate' | 'disassociate'

/** The inventories and groups of a channel of any kind. */
export function channelAssociationRoutes(
  administration: Channels['administration'],
): Handlers<Pick<typeof endpoints, Association>> {
  return {
    inventories: ({ caller, params, query }) => administration.inventories(caller.scope, params.id, query),
    groups: ({ caller, params, query }) =>
      administration.groups(caller.scope, params.id, { ...PageQuery.parse({}), ...query }, 'in'),
    groupsOfInventories: ({ caller, params, query }) =>
      administration.groups(caller.scope, params.id, query, 'all'),
    async associate({ caller, params, note }) {
      await administration.associate(caller.scope, params.id, params.inv)
      note({ objectId: params.id, inventoryId: params.inv })
      return { done: true }
    },
    async disassociate({ caller, params, note }) {
      await administration.disassociate(caller.scope, params.id, params.inv)
      note({ objectId: params.id, inventoryId: params.inv })
      return { done: true }
    },
  }
}

export function channelAdministrationRoutes(
  channels: Channels,
): Handlers<Omit<typeof endpoints, 'multipoint'>> {
  const { administration } = channels
  return {
    list: ({ caller, query }) => administration.page(caller.scope, query),
    one: ({ caller, params }) => administration.one(caller.scope, params.id),
    async create({ caller, body, note }) {
      const channel = await administration.create(caller.scope, body)
      note({ objectId: channel.uniqueId, inventoryId: channel.inventoryId, details: body })
      return channel
    },
    async change({ caller, params, body, note }) {
      const channel = await administration.change(caller.scope, params.id, body)
      note({ inventoryId: channel.inventoryId, details: body })
      return channel
    },
    input: ({ caller, params }) => channels.inputKeys.get(caller.scope, params.id),
    renewInputKey: ({ caller, params }) => channels.inputKeys.renew(caller.scope, params.id),
    async remove({ caller, params, found }) {
      await administration.remove(caller.scope, params.id, found)
      return { done: true }
    },
    hosts: ({ caller }) => administration.hosts(caller.scope),
    ...channelAssociationRoutes(administration),
    async info({ caller, params }) {
      const found = (await channels.ofGroup(caller.scope, params.group)).find(
        ({ uniqueId }) => uniqueId === params.id,
      )
      if (!found) throw new NotFound('channel')
      return found
    },
    details({ caller, body }) {
      const found = channels.find(caller.scope, body.uid ?? body.channel ?? '')
      if (!found) throw new NotFound('channel')
      return found
    },
  }
}
