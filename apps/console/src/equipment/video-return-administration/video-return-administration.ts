// The video return channels that a user administers, and what is set on their servers.
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import { videoReturnAdministration as calls } from '@backhaul/contract/api/video-return-administration'
import type {
  AdministeredVrChannel,
  NewVrChannel,
  VrServerConfiguration,
} from '@backhaul/contract/nouns/video-return'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { compareTexts } from '../../ui/locale.ts'
import type { AssociationCalls } from '../channel-administration/channel-administration.ts'

export const returnChannels = createList(
  'returnChannels',
  async () => {
    const [all] = await Promise.all([readAll((query) => call(calls.list, { query })), loadInventoryNames()])
    return all
  },
  ({ uniqueId }) => uniqueId,
)

export const byServer = (a: AdministeredVrChannel, b: AdministeredVrChannel): number =>
  compareTexts(a.serverName, b.serverName) || compareTexts(a.name, b.name)

/** The calls that set with which groups and inventories channels that return video work. */
export const returning: AssociationCalls = {
  calls,
  join: (groupId, id) => call(groupAdministration.addVrChannel, { params: { groupId, id } }),
  leave: (groupId, id) => call(groupAdministration.removeVrChannel, { params: { groupId, id } }),
}

export function saveChannel(
  before: AdministeredVrChannel | null,
  { serverId, ...request }: NewVrChannel,
): Promise<Fault | undefined> {
  if (!before) return returnChannels.change(() => call(calls.create, { body: { serverId, ...request } }))
  const body = changedFields({ name: before.name, ...before.settings }, request)
  return returnChannels.change(() => call(calls.change, { params: { id: before.uniqueId }, body }))
}

export const removeChannel = (id: string): Promise<Fault | undefined> =>
  returnChannels.change(() => call(calls.remove, { params: { id } }))

export const configureServer = (id: string, body: VrServerConfiguration): Promise<Fault | undefined> =>
  returnChannels.change(() => call(calls.configureServer, { params: { id }, body }))
