// RTMP messages travel in chunks, several messages interleaved; here they are put together again.

export interface RtmpMessage {
  readonly type: number
  readonly timestampMs: number
  readonly payload: Buffer
}

export const messageTypes = {
  chunkSize: 1,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  commandAmf3: 17,
  data: 18,
  command: 20,
} as const

const FIRST_CHUNK_BYTES = 128
const LARGEST_CHUNK_BYTES = 1 << 20
const MOST_STREAMS = 64
/** The length of the message header, by the format of the chunk. */
const headerBytes = [11, 7, 3, 0] as const
const EXTENDED = 0xffffff

interface ChunkStream {
  timestampMs: number
  /** The time field of the newest header: absolute or a difference. */
  field: number
  isExtended: boolean
  length: number
  type: number
  pieces: Buffer[]
  received: number
}

export interface ChunkReader {
  /** Throws RangeError for data that is not RTMP, or longer than allowed. */
  push(bytes: Buffer): void
  /** Longer messages are refused. */
  allow(messageBytes: number): void
}

export function createChunkReader(onMessage: (message: RtmpMessage) => void): ChunkReader {
  const streams = new Map<number, ChunkStream>()
  let waiting: Buffer = Buffer.alloc(0)
  let chunkBytes = FIRST_CHUNK_BYTES
  let longest = 64 * 1024

  function streamOf(id: number, format: number): ChunkStream {
    const known = streams.get(id)
    if (known) return known
    if (format === 3 || streams.size >= MOST_STREAMS) throw new RangeError('rtmp: no such chunk stream')
    const fresh = { timestampMs: 0, field: 0, isExtended: false, length: 0, type: 0, pieces: [], received: 0 }
    streams.set(id, fresh)
    return fresh
  }

  function complete(stream: ChunkStream): void {
    const payload = Buffer.concat(stream.pieces)
    stream.pieces = []
    stream.received = 0
    if (stream.type === messageTypes.chunkSize && payload.length >= 4) {
      chunkBytes = payload.readUInt32BE(0)
      if (chunkBytes < 1 || chunkBytes > LARGEST_CHUNK_BYTES) throw new RangeError('rtmp: chunk size')
    }
    onMessage({ type: stream.type, timestampMs: stream.timestampMs, payload })
  }

  /** The bytes that the first whole chunk takes; 0 as long as it is not there. */
  function readChunk(bytes: Buffer): number {
    if (bytes.length < 1) return 0
    const format = bytes[0]! >> 6
    const short = bytes[0]! & 0x3f
    const basicBytes = short === 0 ? 2 : short === 1 ? 3 : 1
    let at = basicBytes + headerBytes[format]!
    if (bytes.length < at) return 0
    const id = short === 0 ? 64 + bytes[1]! : short === 1 ? 64 + bytes.readUInt16LE(1) : short
    const known = streams.get(id)
    const field = format < 3 ? bytes.readUIntBE(basicBytes, 3) : (known?.field ?? 0)
    const isExtended = format < 3 ? field === EXTENDED : (known?.isExtended ?? false)
    if (isExtended) at += 4
    if (bytes.length < at) return 0
    const length = format < 2 ? bytes.readUIntBE(basicBytes + 3, 3) : (known?.length ?? 0)
    if (length > longest) throw new RangeError('rtmp: message too long')
    const taken = Math.min(chunkBytes, length - (known?.received ?? 0))
    if (bytes.length < at + taken) return 0

    const stream = streamOf(id, format)
    if (format < 2) {
      stream.length = length
      stream.type = bytes[basicBytes + 6]!
    }
    const time = isExtended ? bytes.readUInt32BE(at - 4) : field
    stream.isExtended = isExtended
    if (format < 3) stream.field = isExtended ? EXTENDED : field
    if (stream.received === 0) {
      const isAbsolute = format === 0
      stream.timestampMs = isAbsolute
        ? time
        : (stream.timestampMs + (format === 3 && isExtended ? 0 : time)) >>> 0
    }
    stream.pieces.push(bytes.subarray(at, at + taken))
    stream.received += taken
    if (stream.received >= stream.length) complete(stream)
    return at + taken
  }

  return {
    push(bytes) {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
      let at = 0
      for (let taken = readChunk(waiting); taken > 0; taken = readChunk(waiting.subarray(at))) at += taken
      waiting = waiting.subarray(at)
    },
    allow(messageBytes) {
      longest = messageBytes
    },
  }
}

/** One message in one chunk; the other side was informed of this chunk size. */
export function writeMessage(type: number, payload: Buffer, streamId = 0, timestampMs = 0): Buffer {
  const header = Buffer.alloc(12)
  header[0] = type === messageTypes.command ? 3 : 2
  header.writeUIntBE(timestampMs, 1, 3)
  header.writeUIntBE(payload.length, 4, 3)
  header[7] = type
  header.writeUInt32LE(streamId, 8)
  return Buffer.concat([header, payload])
}
