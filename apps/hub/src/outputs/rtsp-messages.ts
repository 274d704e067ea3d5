// RTSP on the wire: messages of a head and a body, and between them the packets of sound and picture, each behind a $.

export interface RtspMessage {
  /** Its first line, then its headers. */
  readonly head: readonly string[]
  readonly body: Buffer
}

const PACKET = 0x24
const PACKET_HEADER_BYTES = 4
const LONGEST_HEAD_BYTES = 64 * 1024
const LONGEST_BODY_BYTES = 1 << 20
const headEnd = Buffer.from('\r\n\r\n')

/** All values of a header. */
export const headersOf = ({ head }: RtspMessage, name: string): string[] =>
  head
    .slice(1)
    .filter((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name)
    .map((line) => line.slice(line.indexOf(':') + 1).trim())

export const withHeader = ({ head, body }: RtspMessage, name: string, value: string): RtspMessage => ({
  head: [
    ...head.filter((line) => !line.toLowerCase().startsWith(`${name.toLowerCase()}:`)),
    `${name}: ${value}`,
  ],
  body,
})

export const bytesOf = ({ head, body }: RtspMessage): Buffer =>
  Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])

/** Takes bytes as they come; throws RangeError for a message that is longer than any. */
export function createRtspReader(handlers: {
  onMessage: (message: RtspMessage) => void
  onPacket: (packet: Buffer) => void
}): (bytes: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0)

  /** The bytes of the first whole piece; 0 as long as it is not there. */
  function take(bytes: Buffer): number {
    if (bytes[0] === PACKET) {
      if (bytes.length < PACKET_HEADER_BYTES) return 0
      const length = PACKET_HEADER_BYTES + bytes.readUInt16BE(2)
      if (bytes.length < length) return 0
      handlers.onPacket(bytes.subarray(0, length))
      return length
    }
    const end = bytes.indexOf(headEnd)
    if (end < 0) {
      if (bytes.length > LONGEST_HEAD_BYTES) throw new RangeError('rtsp: head too long')
      return 0
    }
    const head = bytes.toString('utf8', 0, end).split('\r\n')
    const [length = 0] = headersOf({ head, body: bytes }, 'content-length').map(Number)
    if (!(length >= 0 && length <= LONGEST_BODY_BYTES)) throw new RangeError('rtsp: body too long')
    const from = end + headEnd.length
    if (bytes.length < from + length) return 0
    handlers.onMessage({ head, body: bytes.subarray(from, from + length) })
    return from + length
  }

  return (bytes) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
    let at = 0
    while (at < waiting.length) {
      const taken = take(waiting.subarray(at))
      if (taken === 0) break
      at += taken
    }
    waiting = waiting.subarray(at)
  }
}
