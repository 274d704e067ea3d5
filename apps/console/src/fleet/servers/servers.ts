// What is read of a receiving server, each answer kept as long as the specification says.
import { servers } from '@backhaul/contract/api/servers'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import type { Server } from '@backhaul/contract/nouns/servers'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'

/** The server as it is now: read once, kept by push. */
export function useServer(id: string): Server | undefined {
  const [server, setServer] = useState<Server>()
  useEffect(() => {
    let gone = false
    let stop = () => {}
    void call(servers.one, { params: { id } })
      .then((read) => {
        if (gone) return
        setServer(read)
        stop = push.subscribe(
          `server.${id}`,
          ({ data }) => setServer((before) => before && { ...before, ...(data as Partial<Server>) }),
          read.rev,
        )
      })
      .catch(() => {})
    return () => {
      gone = true
      stop()
    }
  }, [id])
  return server
}

/** Re-read when older than 30 minutes; a failure gives an empty list (PU-CACHE-03, ER-HTTP-07). */
export function useServerServices(id: string): readonly string[] | undefined {
  const { data, isError } = useQuery({
    queryKey: ['server', id, 'services'],
    queryFn: () => call(servers.services, { params: { id } }),
    staleTime: cacheAgesMs.serverServices,
    gcTime: cacheAgesMs.serverServices,
  })
  return isError ? [] : data
}

/** Under which what is set of SMPTE 2110 is kept. */
export const smpteKey = (id: string) => ['server', id, 'smpte'] as const

/** Re-read when older than 60 s (PU-CACHE-04). */
export function useSmpteConfigured(id: string): boolean | undefined {
  const { data } = useQuery({
    queryKey: smpteKey(id),
    queryFn: () => call(servers.smpte, { params: { id } }),
    staleTime: cacheAgesMs.smpteConfiguration,
    gcTime: cacheAgesMs.smpteConfiguration,
  })
  return data?.isConfigured
}
