// Downloads: a file streamed from its server to a signed-in browser; core stores nothing of it.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { mayDo } from '@backhaul/contract/define/actions'
import { NotAllowed, NotFound, Unavailable } from '@backhaul/contract/define/errors'
import { FILE_PROBE_MS, FILES_PATH } from '@backhaul/contract/nouns/files'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import { urlHost } from '../../doors/source-address.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { KeptFile } from './file-table.ts'

interface Needs {
  /** Throws NotFound for a file that the caller may not know of. */
  get(scope: Scope, fileId: string): Promise<KeptFile>
  servers: Servers
  devices: Devices
}

/** Headers of the server's answer that a browser needs to save a file and to resume one. */
const passedOn = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'last-modified']

/** GET and HEAD of /files/{channel}/{unit}/{name}; HEAD is the probe (GAP-SRV-12). */
export function serveDownloads(api: Api, { get, servers, devices }: Needs): void {
  async function fetchFromServer(serverId: string, path: string, request: FastifyRequest): Promise<Response> {
    const host = devices.get(serverId)?.address
    const port = servers.memory(serverId)?.actual.previewPort
    if (!host || !port) throw new Unavailable('file.serverOffline')
    const { method } = request
    const headers = {
      ...devices.signed(serverId, { method, path }),
      ...(request.headers.range !== undefined && { range: request.headers.range }),
    }
    const abort = new AbortController()
    const tooLong = setTimeout(() => abort.abort(), FILE_PROBE_MS)
    try {
      // A server answers for itself only: core follows no redirect.
      const redirect = 'error'
      return await fetch(`http://${urlHost(host)}:${port}${path}`, {
        method,
        headers,
        redirect,
        signal: abort.signal,
      })
    } catch {
      throw new Unavailable('file.serverSilent')
    } finally {
      clearTimeout(tooLong)
    }
  }

  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await api.signedIn(request)
    if (!mayDo(caller.roles, 'viewUnits')) throw new NotAllowed()
    const { channel, unit, name } = request.params as Record<string, string>
    const file = await get(caller.scope, `${channel}/${unit}/${name}`)
    const path = [FILES_PATH, file.rootDirectory, file.channelId, file.unitId, file.fileName]
    const answer = await fetchFromServer(
      file.serverId,
      path.map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/'),
      request,
    )
    if (answer.status === 404) throw new NotFound('file')
    if (!answer.ok && answer.status !== 416) throw new Unavailable('file.serverRefused')
    reply.code(answer.status).header('cache-control', 'no-store')
    // Never shown as a page of this site, whatever its content type.
    reply.header('content-disposition', `attachment; filename="${file.fileName}"`)
    for (const field of passedOn) {
      const value = answer.headers.get(field)
      if (value !== null) reply.header(field, value)
    }
    if (request.method === 'HEAD' || !answer.body) return reply.send()
    return reply.send(Readable.fromWeb(answer.body as ReadableStream))
  }

  api.app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES_PATH}/:channel/:unit/:name`,
    handler: download,
  })
}
