// Where a file changes hands: the parts that a unit puts go straight to the server that waits for them; core keeps none.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Conflict, NotFound, NotSignedIn, Unavailable } from '@backhaul/contract/define/errors'
import { GATEWAY_UPLOADS_PATH, UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { hashSecret } from '../../database/secrets.ts'
import type { Devices } from '../devices/devices.ts'

export interface UploadRelay {
  /** From now on both ends are let in, each with its own token. */
  open(upload: Ends): void
  /** Breaks off what is still on its way. */
  close(id: string): void
  bind(app: FastifyInstance): void
}

export interface Ends {
  id: string
  unitId: string
  serverId: string
}

interface Needs {
  clock: Clock
  deviceOf: Devices['host']['deviceOf']
  /** So many bytes of the file's size are on their way to the server. */
  onTaken(id: string, taken: number, of: number): void
  /** The server went away before it had all. */
  onBroken(id: string): void
}

interface Passing extends Ends {
  taken: number
  of: number | undefined
  server: PromiseWithResolvers<ServerResponse>
}

/** The server may dial in later than the unit. */
const serverComesWithinMs = 10_000

const Part = z.object({ from: z.coerce.number().int().min(0), of: z.coerce.number().int().min(0) })

export function createUploadRelay({ clock, deviceOf, onTaken, onBroken }: Needs): UploadRelay {
  const passing = new Map<string, Passing>()

  /** The upload of this address, for the device at the named end of it alone. */
  function passingOf(request: FastifyRequest, end: 'unitId' | 'serverId'): Passing {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const device = deviceOf(hashSecret(bearer ?? ''))
    if (!device) throw new NotSignedIn('Unknown device token')
    const found = passing.get((request.params as { id: string }).id)
    if (found?.[end] !== device.id) throw new NotFound('Upload')
    return found
  }

  function serverOf({ server }: Passing): Promise<ServerResponse> {
    const tooLate = new Promise<never>((_, reject) => {
      const timer = clock.setTimeout(
        () => reject(new Unavailable('The server is not there yet')),
        serverComesWithinMs,
      )
      void server.promise.finally(() => clock.clearTimeout(timer)).catch(() => {})
    })
    return Promise.race([server.promise, tooLate])
  }

  /** A part that came already, or that leaves a gap, changes nothing: the answer says where to go on. */
  async function take(request: FastifyRequest): Promise<{ taken: number }> {
    const upload = passingOf(request, 'unitId')
    const asked = Part.safeParse(request.query)
    const part = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!asked.success || asked.data.from + part.length > asked.data.of)
      throw new Conflict('No part of a file')
    const { from, of } = asked.data
    const sink = await serverOf(upload)
    if ((upload.of ?? of) !== of) throw new Conflict('The file has become another one')
    if (from === upload.taken && !sink.destroyed) {
      if (upload.of === undefined)
        sink.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': of })
      upload.of = of
      upload.taken += part.length
      onTaken(upload.id, upload.taken, of)
      await pass(sink, part, upload.taken === of)
    }
    return { taken: upload.taken }
  }

  /** Waits for a server that is slower than its unit. */
  async function pass(sink: ServerResponse, part: Buffer, isLast: boolean): Promise<void> {
    const isFlowing = part.length === 0 || sink.write(part)
    if (isLast) sink.end()
    else if (!isFlowing) await Promise.race([once(sink, 'drain'), once(sink, 'close')])
  }

  function give(request: FastifyRequest, reply: FastifyReply): void {
    const upload = passingOf(request, 'serverId')
    reply.hijack()
    const { raw } = reply
    raw.on('close', () => {
      if (!raw.writableFinished && passing.has(upload.id)) onBroken(upload.id)
    })
    upload.server.resolve(raw)
  }

  return {
    open(upload) {
      passing.set(upload.id, { ...upload, taken: 0, of: undefined, server: Promise.withResolvers() })
    },
    close(id) {
      const upload = passing.get(id)
      passing.delete(id)
      upload?.server.promise.then(
        (raw) => raw.writableFinished || raw.destroy(),
        () => {},
      )
      upload?.server.reject(new NotFound('Upload'))
    },
    bind(app) {
      void app.register(async (scope) => {
        scope.addContentTypeParser(
          'application/octet-stream',
          { parseAs: 'buffer', bodyLimit: UPLOAD_PART_BYTES },
          (_, body, done) => done(null, body),
        )
        scope.put(`${GATEWAY_UPLOADS_PATH}/:id`, take)
        scope.get(`${GATEWAY_UPLOADS_PATH}/:id`, give)
      })
    },
  }
}
