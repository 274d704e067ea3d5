// Downloads: a file streamed from its server to a signed-in browser; core stores nothing of it.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { mayDo } from '@backhaul/contract/define/actions'
import { NotAllowed, NotFound, Unavailable } from '@backhaul/contract/define/errors'
import { FILES_PATH } from '@backhaul/contract/nouns/files'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import type { FileReading } from './file-reading.ts'
import type { KeptFile } from './file-table.ts'

interface Needs {
  /** Throws NotFound for a file outside the caller's scope. */
  get(scope: Scope, fileId: string): Promise<KeptFile>
  reading: FileReading
}

/** Headers of the server's answer that a browser needs to save a file and to resume one. */
const passedOn = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'last-modified']

/** GET and HEAD of /files/{channel}/{unit}/{name}; HEAD is the probe (GAP-SRV-12). */
export function serveDownloads(api: Api, { get, reading }: Needs): void {
  async function download(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await api.signedIn(request)
    if (!mayDo(caller.roles, 'viewUnits')) throw new NotAllowed()
    const { channel, unit, name } = request.params as Record<string, string>
    const file = await get(caller.scope, `${channel}/${unit}/${name}`)
    const { method, headers } = request
    const answer = await answerTo(file, { method, range: headers.range, since: headers['if-range'] })
    if (answer.status === 404) throw new NotFound('file')
    if (!answer.ok && answer.status !== 416) throw new Unavailable('file.serverRefused')
    reply.code(answer.status).header('cache-control', 'no-store')
    // Never shown as a page of this site, regardless of its content type.
    reply.header('content-disposition', `attachment; filename="${file.fileName}"`)
    for (const field of passedOn) {
      const value = answer.headers.get(field)
      if (value !== null) reply.header(field, value)
    }
    if (method === 'HEAD' || !answer.body) return reply.send()
    return reply.send(Readable.fromWeb(answer.body as ReadableStream))
  }

  /**
   * A browser that resumes a download names in `since` the last change of the file that it began with: of a file that is
   * another one by now it gets the whole (RFC 9110, 13.1.5).
   */
  async function answerTo(
    file: KeptFile,
    {
      method,
      range,
      since,
    }: { method: string; range: string | undefined; since: string | string[] | undefined },
  ): Promise<Response> {
    const answer = await reading.request(file, { method, range })
    if (range === undefined || since === undefined || answer.headers.get('last-modified') === since)
      return answer
    await answer.body?.cancel()
    return await reading.request(file, { method })
  }

  api.app.route({
    method: ['GET', 'HEAD'],
    url: `${FILES_PATH}/:channel/:unit/:name`,
    handler: download,
  })
}
