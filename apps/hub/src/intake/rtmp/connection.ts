// One connection of an RTMP sender: handshake, application and stream key, and from then on its sound and picture.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { type AmfValue, readAmf, writeAmf } from './amf.ts'
import { createChunkReader, messageTypes, type RtmpMessage, writeMessage } from './chunks.ts'

const HANDSHAKE_BYTES = 1536
const VERSION = 3
const WINDOW_BYTES = 2_500_000
const CHUNK_BYTES = 65_536
const LONGEST_PICTURE_BYTES = 8 << 20
/** The one message stream of a connection. */
const STREAM = 1

export type Admission = 'taken' | 'wrongKey' | 'busy'

export interface RtmpConnection {
  /** The sender was admitted. */
  isPublishing(): boolean
  close(): void
}

export interface RtmpConnectionOptions {
  socket: Socket
  /** Called once, when the sender names its application and its stream key. */
  admit: (app: string, streamKey: string) => Admission
  /** Sound, picture and what describes them, only after it was admitted. */
  onMedia: (message: RtmpMessage) => void
  onClosed: () => void
}

const refusals = {
  wrongKey: { code: 'NetStream.Publish.BadName', description: 'The stream key is wrong' },
  busy: { code: 'NetStream.Publish.BadName', description: 'Another sender has this input' },
} as const

const u32 = (number: number, ...more: number[]): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return Buffer.concat([bytes, Buffer.from(more)])
}

/**
 * 1. greeting: C0 and C1 are awaited, then C2;
 * 2. naming: commands up to `publish`;
 * 3. publishing: media. A violation of the protocol closes the connection in every state.
 */
export function serveRtmp({ socket, admit, onMedia, onClosed }: RtmpConnectionOptions): RtmpConnection {
  let greeting: Buffer | undefined = Buffer.alloc(0)
  let isGreeted = false
  let app = ''
  let isPublishing = false
  let received = 0
  let acknowledged = 0

  const send = (type: number, payload: Buffer, streamId?: number) =>
    void socket.write(writeMessage(type, payload, streamId))
  const answer = (name: string, transaction: AmfValue, ...values: AmfValue[]) =>
    send(messageTypes.command, writeAmf(name, transaction, ...values))
  const status = (level: string, code: string, description: string) =>
    send(messageTypes.command, writeAmf('onStatus', 0, null, { level, code, description }), STREAM)

  function connect(transaction: AmfValue, options: AmfValue | undefined): void {
    const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
    const named = isObject ? options.app : undefined
    app = typeof named === 'string' ? named.replace(/\/+$/, '') : ''
    send(messageTypes.windowSize, u32(WINDOW_BYTES))
    send(messageTypes.peerBandwidth, u32(WINDOW_BYTES, 2))
    send(messageTypes.chunkSize, u32(CHUNK_BYTES))
    const code = 'NetConnection.Connect.Success'
    const server = { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }
    const result = { level: 'status', code, description: 'Connection succeeded.', objectEncoding: 0 }
    answer('_result', transaction, server, result)
  }

  function publish(streamKey: AmfValue | undefined): void {
    if (isPublishing) return
    const admission = admit(app, typeof streamKey === 'string' ? streamKey : '')
    if (admission === 'taken') {
      isPublishing = true
      chunks.allow(LONGEST_PICTURE_BYTES)
      status('status', 'NetStream.Publish.Start', 'Publishing.')
      return
    }
    const { code, description } = refusals[admission]
    status('error', code, description)
    socket.end()
  }

  function command(payload: Buffer): void {
    const [name, transaction = 0, options, key] = readAmf(payload)
    if (name === 'connect') connect(transaction, options)
    else if (name === 'createStream') answer('_result', transaction, null, STREAM)
    else if (name === 'publish') publish(key)
    else if (name === 'releaseStream' || name === 'FCPublish') answer('_result', transaction, null, null)
    else if (name === 'FCUnpublish' || name === 'deleteStream' || name === 'closeStream') socket.end()
  }

  const chunks = createChunkReader((message) => {
    const { type, payload } = message
    if (type === messageTypes.command) command(payload)
    // AMF3 commands begin with a zero, the rest is AMF0.
    else if (type === messageTypes.commandAmf3) command(payload.subarray(1))
    else if (isPublishing && (type === messageTypes.audio || type === messageTypes.video)) onMedia(message)
  })

  /** The remaining bytes once the handshake is done; undefined before. */
  function greet(bytes: Buffer): Buffer | undefined {
    if (greeting === undefined) return bytes
    greeting = Buffer.concat([greeting, bytes])
    if (greeting.length > 0 && greeting[0] !== VERSION) throw new RangeError('rtmp: version')
    if (!isGreeted && greeting.length > HANDSHAKE_BYTES) {
      isGreeted = true
      const own = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)])
      socket.write(Buffer.concat([Buffer.from([VERSION]), own, greeting.subarray(1, 1 + HANDSHAKE_BYTES)]))
    }
    if (greeting.length < 1 + 2 * HANDSHAKE_BYTES) return undefined
    const rest = greeting.subarray(1 + 2 * HANDSHAKE_BYTES)
    greeting = undefined
    return rest
  }

  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    try {
      received += bytes.length
      if (received - acknowledged > WINDOW_BYTES / 2) {
        acknowledged = received
        send(messageTypes.acknowledgement, u32(received % 2 ** 32))
      }
      const rest = greet(bytes)
      if (rest) chunks.push(rest)
    } catch {
      socket.destroy()
    }
  })
  socket.on('end', () => socket.end())
  socket.on('close', onClosed)
  return {
    isPublishing: () => isPublishing,
    close: () => void socket.destroy(),
  }
}
