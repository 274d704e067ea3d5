// The video return channels that a user administers, and what is set on their servers.
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import { videoReturnAdministration as calls } from '@backhaul/contract/api/video-return-administration'
import type {
  AdministeredVrChannel,
  NewVrChannel,
  VrServerConfiguration,
} from '@backhaul/contract/nouns/video-return'
import { call, type Fault } from '../../doors/api.ts'
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

/** Only what was changed is sent, so that two administrators do not undo each other's work unseen. */
export function saveChannel(
  before: AdministeredVrChannel | null,
  { serverId, ...request }: NewVrChannel,
): Promise<Fault | undefined> {
  if (!before) return returnChannels.change(() => call(calls.create, { body: { serverId, ...request } }))
  const known: Record<string, unknown> = { name: before.name, ...before.settings }
  const changed = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  )
  return returnChannels.change(() =>
    call(calls.change, { params: { id: before.uniqueId }, body: Object.fromEntries(changed) }),
  )
}

export const removeChannel = (id: string): Promise<Fault | undefined> =>
  returnChannels.change(() => call(calls.remove, { params: { id } }))

export const configureServer = (id: string, body: VrServerConfiguration): Promise<Fault | undefined> =>
  returnChannels.change(() => call(calls.configureServer, { params: { id }, body }))
