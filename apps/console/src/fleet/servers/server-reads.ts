// Reads of one receiving server, each answer kept as long as the specification requires.
import { servers } from '@backhaul/contract/api/servers'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import type { Server } from '@backhaul/contract/nouns/servers'
import { useNews } from '../../doors/news.ts'
import { useRead } from '../../doors/reads.ts'

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
