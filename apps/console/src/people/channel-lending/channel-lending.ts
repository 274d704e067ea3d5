// Lending channels: groups of another customer may use them, while they remain with the server's own customer.
import { channelAdministration } from '@backhaul/contract/api/channel-administration'
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import type { Group } from '@backhaul/contract/nouns/groups'
import { call } from '../../doors/api.ts'
import { compareTexts } from '../../ui/locale.ts'

/** The most items that core gives in one answer. */
const most = 1000

type LendableChannel = Pick<AdministeredChannel, 'uniqueId' | 'name' | 'serverName' | 'inventoryName'>

export interface LendingChoices {
  channels: readonly LendableChannel[]
  groups: readonly Pick<Group, 'uid' | 'name'>[]
}

/** Channels of the other customers that the user administers, and the groups of the one to lend to. A failure goes up. */
export async function lendingChoices(inventoryId: string): Promise<LendingChoices> {
  const [channels, groups] = await Promise.all([
    call(channelAdministration.list, { query: { limit: most } }),
    call(groupAdministration.ofInventory, { params: { id: inventoryId }, query: { limit: most } }),
  ])
  return {
    channels: channels.items
      .filter((channel) => channel.inventoryId !== inventoryId)
      .sort((a, b) => compareTexts(a.serverName, b.serverName) || compareTexts(a.name, b.name)),
    groups: groups.items,
  }
}

/** The customer may use each channel; the group, where one is named, has each as a member at once. */
export async function lendChannels(
  inv: string,
  channelIds: readonly string[],
  groupId: string | null,
): Promise<void> {
  for (const channelId of channelIds) {
    await call(channelAdministration.associate, { params: { inv, id: channelId } })
    if (groupId !== null) await call(groupAdministration.addChannel, { params: { groupId, channelId } })
  }
}
