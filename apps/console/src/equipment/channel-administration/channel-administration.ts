// The channels that a user administers: read when the screen opens and after each change.
import { channelAdministration as calls } from '@backhaul/contract/api/channel-administration'
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import type {
  AdministeredChannel,
  ChannelChange,
  NewChannel,
} from '@backhaul/contract/nouns/channel-administration'
import { serverTypeOf } from '@backhaul/contract/nouns/servers'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'

/** Props of each tab in the dialog of a channel. */
export interface ChannelTabProps {
  channel: AdministeredChannel
  onClose: () => void
}

/** The state of their destinations is live. */
export const channelStore = createKeyedStore<AdministeredChannel>()

export const administeredChannels = createList(
  'administeredChannels',
  async () => {
    const [all] = await Promise.all([readAll((query) => call(calls.list, { query })), loadInventoryNames()])
    return all
  },
  ({ uniqueId }) => uniqueId,
  channelStore,
)

/** A channel that units, or encoders alone, send to takes nothing. */
export const takesPictures = ({ serverProductType, inputSources, kind }: AdministeredChannel): boolean =>
  kind !== 'GROUP_CHANNEL' &&
  (serverTypeOf(serverProductType) === 'transceiver_server' || inputSources.length > 0)

export const byServer = (a: AdministeredChannel, b: AdministeredChannel): number =>
  compareTexts(a.serverName, b.serverName) || compareTexts(a.name, b.name)

/** `take` gets the id of the new channel. */
export const makeChannel = (request: NewChannel, take: (id: string) => void): Promise<Fault | undefined> =>
  administeredChannels.change(async () => take((await call(calls.create, { body: request })).uniqueId))

export const saveChannel = (id: string, body: ChannelChange) => call(calls.change, { params: { id }, body })

export const removeChannel = (id: string): Promise<Fault | undefined> =>
  administeredChannels.change(() => call(calls.remove, { params: { id } }))

/** The most items that core gives in one answer. */
const most = 1000

export interface Association {
  groups: { uid: string; name: string; inventoryName: string; isMember: boolean }[]
  /** In addition to that of the server. */
  inventories: string[]
}

type Calls = Pick<typeof calls, 'groupsOfInventories' | 'inventories' | 'associate' | 'disassociate'>

/** The calls that set with which groups and inventories a sort of channels works. */
export interface AssociationCalls {
  calls: Calls
  join: (groupId: string, channelId: string) => Promise<unknown>
  leave: (groupId: string, channelId: string) => Promise<unknown>
}

/** Calls for channels that receive units. */
export const receiving: AssociationCalls = {
  calls,
  join: (groupId, channelId) => call(groupAdministration.addChannel, { params: { groupId, channelId } }),
  leave: (groupId, channelId) => call(groupAdministration.removeChannel, { params: { groupId, channelId } }),
}

/** Groups and other inventories that the channel works with. */
export async function associationOf({ calls }: AssociationCalls, id: string): Promise<Association> {
  const params = { id }
  const [groups, inventories] = await Promise.all([
    call(calls.groupsOfInventories, { params, query: { limit: most } }),
    call(calls.inventories, { params, query: { limit: most } }),
  ])
  return {
    groups: groups.items,
    inventories: inventories.items.filter(({ isHome }) => !isHome).map((one) => one.id),
  }
}

/** Lends the channel to exactly these inventories in addition to its own. */
export async function setInventories(
  { calls }: AssociationCalls,
  id: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const inv of after.filter((one) => !before.includes(one)))
    await call(calls.associate, { params: { inv, id } })
  for (const inv of before.filter((one) => !after.includes(one)))
    await call(calls.disassociate, { params: { inv, id } })
}

/** Makes the channel a member of exactly these groups, of those that were shown. */
export async function setGroups(
  { join, leave }: AssociationCalls,
  channelId: string,
  shown: Association['groups'],
  after: ReadonlySet<string>,
): Promise<void> {
  for (const { uid: groupId, isMember } of shown) {
    if (after.has(groupId) === isMember) continue
    await (isMember ? leave : join)(groupId, channelId)
  }
}
