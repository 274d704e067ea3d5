// Relay of uploads: the parts that a unit sends go straight to the waiting server; core stores none.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { Conflict, NotFound, NotSignedIn, Unavailable } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { GATEWAY_UPLOADS_PATH, UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import { UPLOAD_VERIFIED_HEADER, UploadSum } from '@backhaul/contract/gateway/uploads'
import type { Clock } from '@backhaul/runtime/clock'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { hashSecret } from '../../database/secrets.ts'
import type { Devices } from '../../fleet/devices/devices.ts'

export interface UploadRelay {
  /** Admits both ends from now on, each with its own token. */
  open(upload: Opened): void
  /** Breaks off the running requests. */
  close(id: string): void
  bind(app: FastifyInstance): void
}

export interface Ends {
  id: string
  unitId: string
  serverId: string
}

/** A file as the unit reports it: another size or another time means another file. */
export interface SourceFile {
  sizeBytes: number
  modifiedMs: number | null
}

/** An upload that starts, or continues when it is known which file began. */
export interface Opened extends Ends {
  source: SourceFile | undefined
}

interface Needs {
  clock: Clock
  deviceOf: Devices['host']['deviceOf']
  /** Whether the device is an end of an upload that is not over: it waits until that continues. */
  isExpected(id: string, end: 'unitId' | 'serverId', deviceId: string): boolean
  /** This many bytes of the file are at the server or on their way to it. */
  onTaken(id: string, taken: number, source: SourceFile): void
  /** The unit has another file at this path than the one that began. */
  onChanged(id: string): void
}

interface Passing extends Opened {
  /** The bytes that the server has stored, together with those passed to it since. */
  taken: number
  isBegun: boolean
  server: PromiseWithResolvers<ServerResponse>
  /** The unit's checksum of the whole file. */
  sum: PromiseWithResolvers<string>
}

/** The server may connect later than the unit. */
const serverComesWithinMs = 10_000
/** A unit reads the bytes sent before an interruption again for the checksum. */
const sumComesWithinMs = 120_000

const Count = z.coerce.number().int().min(0)
const Part = z.object({
  from: Count,
  of: Count,
  modified: Count.optional(),
  verified: z.literal('1').optional(),
  ...UploadSum.partial().shape,
})
const Rest = z.object({ from: Count.default(0), sum: z.literal('1').optional() })

/** Resolves once the response takes more bytes, or is closed; it has no listener afterwards. */
async function drained(sink: ServerResponse): Promise<void> {
  const end = new AbortController()
  const { signal } = end
  try {
    await Promise.race([once(sink, 'drain', { signal }), once(sink, 'close', { signal })])
  } finally {
    end.abort()
  }
}

export function createUploadRelay({ clock, deviceOf, isExpected, onTaken, onChanged }: Needs): UploadRelay {
  const passing = new Map<string, Passing>()

  /** The upload at this address, only for the device at the named end of it. */
  function passingOf(request: FastifyRequest, end: 'unitId' | 'serverId'): Passing {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const device = deviceOf(hashSecret(bearer ?? ''))
    if (!device) throw new NotSignedIn('device.unknownToken')
    const { id } = request.params as { id: string }
    const found = passing.get(id)
    if (!found && isExpected(id, end, device.id)) throw new Unavailable('upload.paused')
    if (found?.[end] !== device.id) throw new NotFound('upload')
    return found
  }

  function within<T>(ms: number, promise: Promise<T>, late: PlainCode): Promise<T> {
    const tooLate = new Promise<never>((_, reject) => {
      const timer = clock.setTimeout(() => reject(new Unavailable(late)), ms)
      void promise.finally(() => clock.clearTimeout(timer)).catch(() => {})
    })
    return Promise.race([promise, tooLate])
  }

  /** A repeated part, or one that leaves a gap, changes nothing: the answer has the offset to continue at. */
  async function take(request: FastifyRequest): Promise<{ taken: number }> {
    const upload = passingOf(request, 'unitId')
    const query = Part.safeParse(request.query)
    const part = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!query.success || query.data.from + part.length > query.data.of)
      throw new Conflict('upload.badRequest')
    const { from, of, modified, verified, sha256 } = query.data
    const sink = await within(serverComesWithinMs, upload.server.promise, 'upload.serverNotReady')
    begin(upload, sink, { sizeBytes: of, modifiedMs: modified ?? null }, verified !== undefined)
    if (sha256 !== undefined && upload.taken === of) upload.sum.resolve(sha256)
    if (upload.taken < of && sink.destroyed) throw new Unavailable('upload.serverGone')
    if (from === upload.taken && part.length > 0) {
      upload.taken += part.length
      onTaken(upload.id, upload.taken, { sizeBytes: of, modifiedMs: modified ?? null })
      await pass(sink, part, upload.taken === of)
    }
    return { taken: upload.taken }
  }

  /** The first part of each connection names its file; the server is announced the bytes that it does not have. */
  function begin(upload: Passing, sink: ServerResponse, source: SourceFile, isVerified: boolean): void {
    const isSame = isDeepStrictEqual(upload.source ?? source, source) && upload.taken <= source.sizeBytes
    if (!isSame && !upload.isBegun) onChanged(upload.id)
    if (!isSame) throw new Conflict('upload.changed')
    if (upload.isBegun || sink.destroyed) return
    upload.source = source
    upload.isBegun = true
    const missing = source.sizeBytes - upload.taken
    sink.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': missing,
      ...(isVerified && { [UPLOAD_VERIFIED_HEADER]: '1' }),
    })
    sink.flushHeaders()
    onTaken(upload.id, upload.taken, source)
    if (missing === 0) sink.end()
  }

  /** Waits for a server that is slower than its unit. */
  async function pass(sink: ServerResponse, part: Buffer, isLast: boolean): Promise<void> {
    const isFlowing = sink.write(part)
    if (isLast) sink.end()
    else if (!isFlowing) await drained(sink)
  }

  async function give(request: FastifyRequest, reply: FastifyReply): Promise<UploadSum | undefined> {
    const upload = passingOf(request, 'serverId')
    const query = Rest.safeParse(request.query)
    if (!query.success) throw new Conflict('upload.badRequest')
    if (query.data.sum !== undefined)
      return { sha256: await within(sumComesWithinMs, upload.sum.promise, 'upload.paused') }
    reply.hijack()
    if (!upload.isBegun) upload.taken = query.data.from
    upload.server.resolve(reply.raw)
    return undefined
  }

  return {
    open(upload) {
      passing.set(upload.id, {
        ...upload,
        taken: 0,
        isBegun: false,
        server: Promise.withResolvers(),
        sum: Promise.withResolvers(),
      })
    },
    close(id) {
      const upload = passing.get(id)
      passing.delete(id)
      upload?.server.promise.then(
        (raw) => raw.writableFinished || raw.destroy(),
        () => {},
      )
      upload?.server.reject(new NotFound('upload'))
      upload?.sum.promise.catch(() => {})
      upload?.sum.reject(new NotFound('upload'))
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
