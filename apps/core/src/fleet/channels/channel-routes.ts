import type { channels as endpoints } from '@backhaul/contract/api/channels'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Scope } from '../../database/scope.ts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Channels } from './channels.ts'

type Elsewhere = 'multipoint' | 'updateMultipoint' | 'accessibility' | 'stunTurn' | 'feedGraph'

export function channelRoutes(
  channels: Channels,
  inventories: Inventories,
): Handlers<Omit<typeof endpoints, Elsewhere>> {
  const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name, 'en', { numeric: true })
  async function ofInventory(scope: Scope, id: string, isMeant: (channel: Channel) => boolean) {
    await inventories.get(scope, id)
    return channels.readable(scope).filter((one) => one.inventoryId === id && isMeant(one))
  }

  return {
    ofGroup: ({ caller, query }) => channels.ofGroup(caller.scope, query.group),
    details: ({ caller, params }) => channels.ofGroup(caller.scope, params.group),
    status({ caller, params }) {
      const channel = channels.get(caller.scope, params.id)
      const { status, tally, recording, reception } = channel
      const { allocatedTo, allocatedToByApp, allocatedToUnitAlias, allocatedToUnitUid } = channel
      return {
        status,
        tally,
        recording,
        reception,
        allocatedTo,
        allocatedToByApp,
        allocatedToUnitAlias,
        allocatedToUnitUid,
      }
    },
    capabilities({ caller, params }) {
      const { webrtc, NDI, is4K, capabilities } = channels.get(caller.scope, params.id)
      return { webrtc, ndi: NDI, smpte2110: capabilities.smpte2110 === true, fourK: is4K }
    },
    addresses: ({ caller, params }) => channels.addresses(caller.scope, params.id),
    multiChannels: ({ caller, params }) => channels.multiCamera(caller.scope, params.id),
    async sdi({ caller, query }) {
      const hasSdi = ({ sdiNo, inputType }: Channel) => sdiNo !== null || inputType === 'sdi'
      return (await ofInventory(caller.scope, query.inventoryId, hasSdi)).sort(byName)
    },
    async output({ caller, query }) {
      const isOutput = ({ kind }: Channel) => kind === 'OUTPUT_CHANNEL'
      return (await ofInventory(caller.scope, query.inventoryId, isOutput)).sort(byName)
    },
    recorded: ({ caller, params }) => ofInventory(caller.scope, params.id, ({ recording }) => recording),
    async record({ caller, params, body, note }) {
      note({ objectId: params.id, details: body })
      channels.requireJoin(caller, channels.get(caller.scope, params.id))
      await channels.setRecording(caller.scope, params.id, body.recording)
      return { accepted: true }
    },
  }
}
