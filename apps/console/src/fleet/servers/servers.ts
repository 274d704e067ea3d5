// Receiving servers of the group as rows of the list of units.
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { channelsInUse, type Server } from '@backhaul/contract/nouns/servers'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useGroups } from '../../people/groups/groups.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import type { ReadStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { channelStore } from '../channels/channels.ts'
import { followServers, type LiveServer, serverStore } from './servers-live.ts'

export type ServerRow = LiveServer

/** The servers of the group, as long as `useGroupServers` is on the screen. */
export const liveServers: ReadStore<ServerRow> = serverStore

/** Keeps the servers of the group live while the component is there, for those who may see them. */
export function useGroupServers(): void {
  const groupId = useGroups().current?.uid
  const mayView = useMay('viewUnits')
  useEffect(() => (groupId !== undefined && mayView ? followServers(groupId) : undefined), [groupId, mayView])
}

/** The channels that it uses now, by name, and the number of those in groups that the user does not work in. */
export function textInUse(server: Pick<Server, 'applications'>, t: TFunction<'servers'>): string {
  const ids = channelsInUse(server)
  const known = ids.flatMap((id) => channelStore.get(id) ?? [])
  const names = known.map(({ name }) => displayedChannelName(name)).sort(compareTexts)
  const others = ids.length - known.length
  return (others === 0 ? names : [...names, t('others', { count: others })]).join(', ')
}
