// Signs in at an RTMP destination for ffmpeg, which must not have the password: ffmpeg gets the answer to the challenge,
// which is valid for one connection. Methods: those of Adobe and of Limelight, as ffmpeg implements them.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type AmfValue, readAmf, writeAmf } from '../intake/rtmp/amf.ts'
import { createChunkReader, messageTypes } from '../intake/rtmp/chunks.ts'
import type { Credentials } from './credentials.ts'
import { dial, farAddressOf, ffmpegTextOf } from './far-end.ts'

export interface RtmpPlace {
  /** Scheme, host and port. */
  readonly server: string
  readonly app: string
}

const HANDSHAKE_BYTES = 1536
/** The largest chunk until another size is announced. */
const CHUNK_BYTES = 128
/** A chunk of the same message follows, on the chunk stream of commands. */
const CONTINUED = Buffer.from([0xc3])
const PATIENCE_MS = 10_000

/**
 * The text to append to the name of the application; empty where the server requires no user. Rejects with a message as
 * ffmpeg would print it. 1. The first connection is refused with the method; 2. the second, which names method and user,
 * with the challenge; 3. the answer is for the connection of ffmpeg.
 */
export async function signInAtRtmp(place: RtmpPlace, credentials: Credentials): Promise<string> {
  let query = ''
  for (let tries = 0; tries < 2; tries++) {
    const refusal = await refusalOf(place, query)
    if (refusal === undefined) return query
    const [, way] = /authmod=(adobe|llnw)\b/.exec(refusal) ?? []
    if (way === undefined || /\?reason=(authfailed|nosuchuser)/.test(refusal))
      throw new Error(`Server error: ${refusal}`)
    const challenge = /\?reason=needauth(.*)$/.exec(refusal)?.[1]
    if (challenge !== undefined) return answerOf(way, challenge, place.app, credentials)
    query = `?authmod=${way}&user=${credentials.user}`
  }
  throw new Error('authentication failed')
}

/** Connects until the server accepts or refuses; returns the reason of a refusal. */
async function refusalOf(place: RtmpPlace, query: string): Promise<string | undefined> {
  const socket = dial(farAddressOf(place.server))
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('Connection timed out')))
  try {
    return await connected(socket, place, query)
  } catch (error) {
    throw new Error(ffmpegTextOf(error as Error))
  } finally {
    socket.destroy()
  }
}

async function connected(socket: Socket, { server, app }: RtmpPlace, query: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const chunks = createChunkReader(({ type, payload }) => {
    if (type !== messageTypes.command) return
    const [name, , ...values] = readAmf(payload)
    if (name === '_result') resolve(undefined)
    if (name === '_error') resolve(descriptionIn(values))
  })
  let greeting: Buffer | undefined = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    try {
      if (greeting === undefined) return chunks.push(bytes)
      greeting = Buffer.concat([greeting, bytes])
      if (greeting.length < 1 + 2 * HANDSHAKE_BYTES) return
      const rest = greeting.subarray(1 + 2 * HANDSHAKE_BYTES)
      socket.write(greeting.subarray(1, 1 + HANDSHAKE_BYTES))
      greeting = undefined
      const command = { app: app + query, type: 'nonprivate', flashVer: 'FMLE/3.0 (compatible)' }
      socket.write(inChunks(writeAmf('connect', 1, { ...command, tcUrl: `${server}/${app}${query}` })))
      chunks.push(rest)
    } catch (error) {
      reject(error)
    }
  })
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('End of file')))
  await Promise.race([once(socket, 'connect'), promise])
  socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)]))
  return promise
}

function descriptionIn(values: readonly AmfValue[]): string {
  for (const value of values)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      if (typeof value.description === 'string') return value.description
  return 'connection refused by the server'
}

/** A command in as many chunks as it needs. */
function inChunks(payload: Buffer): Buffer {
  const header = Buffer.alloc(12)
  header[0] = 3
  header.writeUIntBE(payload.length, 4, 3)
  header[7] = messageTypes.command
  const parts: Buffer[] = [header]
  for (let at = 0; at < payload.length; at += CHUNK_BYTES)
    parts.push(...(at === 0 ? [] : [CONTINUED]), payload.subarray(at, at + CHUNK_BYTES))
  return Buffer.concat(parts)
}

const hash = (encoding: 'base64' | 'hex', ...parts: string[]) =>
  createHash('md5').update(parts.join('')).digest(encoding)

function answerOf(way: string, challenge: string, app: string, { user, password }: Credentials): string {
  const named = new Map(
    challenge.split('&').map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)] as const
    }),
  )
  const own = randomBytes(4).toString('hex')
  if (way === 'llnw') {
    const [nonce = '', count] = [named.get('nonce'), '00000001']
    const ofUser = hash('hex', `${user}:live:${password}`)
    const ofPlace = hash('hex', `publish:/${app}${app.includes('/') ? '' : '/_definst_'}`)
    const response = hash('hex', [ofUser, nonce, count, own, 'auth', ofPlace].join(':'))
    return `?authmod=llnw&user=${user}&nonce=${nonce}&cnonce=${own}&nc=${count}&response=${response}`
  }
  const [salt = '', opaque] = [named.get('salt'), named.get('opaque')]
  const ofUser = hash('base64', user, salt, password)
  const response = hash('base64', ofUser, opaque ?? named.get('challenge') ?? '', own)
  const proof = `?authmod=adobe&user=${user}&challenge=${own}&response=${response}`
  return opaque === undefined ? proof : `${proof}&opaque=${opaque}`
}
