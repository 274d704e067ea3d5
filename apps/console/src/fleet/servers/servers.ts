// What is read of a receiving server, each answer kept as long as the specification says.
import { servers } from '@backhaul/contract/api/servers'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import type { Server } from '@backhaul/contract/nouns/servers'
import { useNews } from '../../doors/news.ts'
import { useRead } from '../../doors/reads.ts'

/** The server as it is now: read once, kept by push. */
export function useServer(id: string): Server | undefined {
  const { data: server } = useRead(servers.one, { params: { id } }, { isStart: true })
  const news = useNews<Server>(server && `server.${id}`, server?.rev)
  return server && { ...server, ...news }
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
