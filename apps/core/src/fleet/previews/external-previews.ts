// Pictures of channels for browsers outside the network: whether one is available now, and through which relays.

import { createHmac } from 'node:crypto'
import { NotFound } from '@backhaul/contract/define/errors'
import { type PlainCode, reasonFields } from '@backhaul/contract/define/refusals'
import { channelIsIn } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Accessibility, StunTurnInfo } from '@backhaul/contract/nouns/previews'
import type { Clock } from '@backhaul/runtime/clock'
import type { Caller } from '../../doors/api/caller.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Channels } from '../channels/channels.ts'

/** STUN and TURN servers: they help both sides to connect, and relay where they cannot. */
export interface IceSettings {
  stunUrls: readonly string[]
  turnUrls: readonly string[]
  /** Shared with the TURN server, which checks core's signatures with it. */
  turnSecret: string | undefined
}

/** The ICE servers for browsers; a relay without a secret would admit no browser and is left out. */
function iceServersOf(
  { stunUrls, turnUrls, turnSecret }: IceSettings,
  signed: (secret: string) => { username?: string; credential?: string } = () => ({}),
): StunTurnInfo['iceServers'] {
  return [
    ...(stunUrls.length > 0 ? [{ urls: [...stunUrls] }] : []),
    ...(turnSecret !== undefined && turnUrls.length > 0
      ? [{ urls: [...turnUrls], ...signed(turnSecret) }]
      : []),
  ]
}

interface Needs {
  clock: Clock
  groups: Groups
  inventories: Inventories
  channels: Channels
  ice: IceSettings
  /** Whether a server shows the channel. */
  isShown(channelId: string): boolean
  /** Why previews are closed for the customer. */
  closed(inventoryId: string): Promise<PlainCode | undefined>
}

export function createExternalPreviews({
  clock,
  groups,
  inventories,
  channels,
  ice,
  isShown,
  closed,
}: Needs) {
  async function reasonAgainst(
    caller: Caller,
    groupId: string,
    channelId: string,
  ): Promise<PlainCode | undefined> {
    const { scope } = caller
    const groupFeatures = await groups.features(scope, groupId)
    const channel = (await channels.ofGroup(scope, groupId)).find(({ uniqueId }) => uniqueId === channelId)
    if (!channel) throw new NotFound('channel')
    if (!channels.mayJoin(caller, channel)) return 'channel.private'
    const refused = gate('externalPreview', { groupFeatures }) ?? (await closed(channel.inventoryId))
    if (refused !== undefined) return refused
    return channelIsIn(channel.status, 'offline') || !isShown(channelId) ? 'channelTip.offline' : undefined
  }

  return {
    /** RO-PERM-38; throws NotFound for what is not in a group of the caller. */
    async accessibility(caller: Caller, groupId: string, channelId: string): Promise<Accessibility> {
      const reason = await reasonAgainst(caller, groupId, channelId)
      return { accessible: reason === undefined, ...reasonFields(reason) }
    },
    /** The ICE servers without the secrets. */
    iceServers: () => iceServersOf(ice),
    /** A name and a password for the relay that expire, as TURN servers with a shared secret accept them. */
    async stunTurn({ scope, userId }: Caller, inventory: string, lastsS: number): Promise<StunTurnInfo> {
      const known = await inventories.list(scope, { name: inventory, limit: 1000 })
      if (!known.some(({ name }) => name === inventory)) throw new NotFound('inventory')
      const expiresS = Math.floor(clock.nowMs() / 1000) + lastsS
      const username = `${expiresS}:${userId}`
      const signed = (secret: string) => ({
        username,
        credential: createHmac('sha1', secret).update(username).digest('base64'),
      })
      return { iceServers: iceServersOf(ice, signed), expiresAt: new Date(expiresS * 1000).toISOString() }
    },
  }
}
