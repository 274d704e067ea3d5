// Receiving servers: those of the group as rows of the list of units, and what is read of one, each answer kept as long as
// the specification requires.
import { servers } from '@backhaul/contract/api/servers'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import { displayedChannelName } from '@backhaul/contract/nouns/channels'
import { channelsInUse, type Server } from '@backhaul/contract/nouns/servers'
import type { TFunction } from 'i18next'
import { useEffect } from 'react'
import { useNews } from '../../doors/news.ts'
import { useRead } from '../../doors/reads.ts'
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

/** The server as it is now, read once and kept by push, or why it cannot be read. */
export function useServer(id: string): { server?: Server; errorText?: string | undefined } {
  const { data: read, errorText } = useRead(servers.one, { params: { id } }, { isStart: true })
  const news = useNews<Server>(read && `server.${id}`, read?.rev)
  return read ? { server: { ...read, ...news } } : { errorText }
}

/** The groups that it belongs to, as far as the user may know them. */
export function useServerGroups(id: string): readonly string[] | undefined {
  const { data } = useRead(servers.groups, { params: { id } }, { isStart: true })
  return data?.map(({ name }) => name)
}

/** Re-read when older than 30 minutes; a failure gives an empty list (PU-CACHE-03, ER-HTTP-07). */
export function useServerServices(id: string): readonly string[] | undefined {
  const { data, error } = useRead(
    servers.services,
    { params: { id } },
    { keepMs: cacheAgesMs.serverServices },
  )
  return error ? [] : data
}

/** Re-read when older than 60 s (PU-CACHE-04). */
export function useSmpteConfigured(id: string): boolean | undefined {
  const { data } = useRead(servers.smpte, { params: { id } }, { keepMs: cacheAgesMs.smpteConfiguration })
  return data?.isConfigured
}
