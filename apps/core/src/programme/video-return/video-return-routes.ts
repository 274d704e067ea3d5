import type { videoReturn as endpoints } from '@backhaul/contract/api/video-return'
import type { videoReturnAdministration as administrationEndpoints } from '@backhaul/contract/api/video-return-administration'
import type { Handlers } from '../../doors/api/bind.ts'
import type { VideoReturn } from './video-return.ts'

export function videoReturnRoutes(videoReturn: VideoReturn): Handlers<typeof endpoints> {
  const { channels } = videoReturn

  const select: Handlers<typeof endpoints>['select'] = async ({ caller, params, body, note }) => {
    note({ details: body })
    const { channel, input = null } = body
    await videoReturn.select(caller, params.id, channel === null ? null : { channelId: channel, input })
    return { done: true }
  }

  return {
    ofGroup: ({ caller, params }) => channels.ofGroup(caller.scope, params.groupId),
    capabilities: ({ caller, params }) => channels.capabilities(caller.scope, params.id),
    inputSources: ({ caller, params }) => channels.inputSources(caller.scope, params.id),
    addresses: ({ caller, params }) => channels.addresses(caller.scope, params.id),
    async chooseInput({ caller, params, body, note }) {
      note({ details: body })
      const channel = await channels.chooseInput(caller.scope, params.id, body)
      note({ inventoryId: channel.inventoryId })
      return channel
    },
    select,
    selectByUnit: select,
    start: async ({ caller, params }) => ({
      accepted: true,
      commandId: await videoReturn.start(caller, params.id),
    }),
    stop: async ({ caller, params }) => ({
      accepted: true,
      commandId: await videoReturn.stop(caller, params.id),
    }),
  }
}

type Association = 'inventories' | 'groups' | 'groupsOfInventories' | 'associate' | 'disassociate'

/** The inventories and groups of a channel are handled as for every channel, by the given functions. */
export function videoReturnAdministrationRoutes({
  administration,
}: VideoReturn): Handlers<Omit<typeof administrationEndpoints, Association>> {
  const change: Handlers<typeof administrationEndpoints>['change'] = async ({
    caller,
    params,
    body,
    note,
  }) => {
    const channel = await administration.change(caller.scope, params.id, body)
    note({ inventoryId: channel.inventoryId, details: body })
    return channel
  }
  return {
    list: ({ caller, query }) => administration.page(caller.scope, query),
    ofInventory: ({ caller, params, query }) => administration.ofInventory(caller.scope, params.id, query),
    one: ({ caller, params }) => administration.one(caller.scope, params.id),
    async create({ caller, body, note }) {
      const channel = await administration.create(caller.scope, body)
      note({ objectId: channel.uniqueId, inventoryId: channel.inventoryId, details: body })
      return channel
    },
    change,
    update: change,
    async remove({ caller, params, found }) {
      await administration.remove(caller.scope, params.id, found)
      return { done: true }
    },
    hosts: ({ caller }) => administration.hosts(caller.scope),
    serverConfiguration: ({ caller, params }) => administration.configuration(caller.scope, params.id),
    async configureServer({ caller, params, body, note }) {
      const configuration = await administration.configure(caller.scope, params.id, body)
      note({ details: body })
      return configuration
    },
  }
}
