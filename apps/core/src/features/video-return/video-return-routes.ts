import type { videoReturn as endpoints } from '@backhaul/contract/api/video-return'
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
