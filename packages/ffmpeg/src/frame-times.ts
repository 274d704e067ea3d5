// The time of day of each frame, in the stream itself: SEI of user data as MISB ST 0604 has it, which any receiver and every
// recording without a new encode keeps.
import { packetBytes, payloadStart, pcrOf, pidOf, ptsOf, startsUnit } from './ts-packets.ts'
import { createStreamFinder } from './ts-streams.ts'
import type { VideoCodec } from './video-coders.ts'

const headBytes = 4
const payloadBytes = packetBytes - headBytes
const identifier = Buffer.from('MISPmicrosectime', 'latin1')
/** The clock is not locked to a reference, and has not been set backwards. */
const timeStatus = 0x1f
const startCode = [0, 0, 0, 1]
const seiHead = { h264: [0x06], h265: [0x4e, 0x01] } as const
/** The access unit delimiter that ffmpeg writes, without its start code. */
const delimiter = { h264: { type: 0x09, bytes: 2 }, h265: { type: 0x46, bytes: 3 } } as const

/** A unit of SEI with this time, in milliseconds since 1970. */
export function timeUnit(codec: VideoCodec, timeMs: number): Buffer {
  const micros = Buffer.alloc(8)
  micros.writeBigUInt64BE(BigInt(Math.round(timeMs * 1000)))
  // A byte after each second one keeps start codes out.
  const spread = [0, 2, 4].flatMap((at) => [micros[at]!, micros[at + 1]!, 0xff])
  const data = [timeStatus, ...spread, micros[6]!, micros[7]!]
  const userData = 5
  const payload = [userData, identifier.length + data.length, ...identifier, ...data]
  const stopBit = 0x80
  return Buffer.from([...startCode, ...seiHead[codec], ...payload, stopBit])
}

/** The time in milliseconds since 1970 that a frame carries; undefined for a frame without one. */
export function readTimeUnit(frame: Buffer): number | undefined {
  const at = frame.indexOf(identifier)
  if (at < 0) return undefined
  const data = frame.subarray(at + identifier.length + 1)
  const micros = Buffer.from([0, 1, 3, 4, 6, 7, 9, 10].map((one) => data[one] ?? 0))
  return Number(micros.readBigUInt64BE()) / 1000
}

export interface FrameTimesOptions {
  codec: VideoCodec
  /** The time of the frame with this presentation stamp, in milliseconds since 1970. */
  timeOf: (pts: number) => number
}

/**
 * Takes whole packets and returns them with a time in each frame. A frame may get a packet more: continuity counters have
 * to be written after this.
 */
export function createFrameTimes({ codec, timeOf }: FrameTimesOptions) {
  const finder = createStreamFinder()
  return {
    push(packets: Buffer): Buffer {
      const parts: Buffer[] = []
      let from = 0
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        finder.push(packets, at)
        const isFrame = startsUnit(packets, at) && pidOf(packets, at) === finder.video()?.pid
        const pts = isFrame ? ptsOf(packets, at) : undefined
        if (pts === undefined) continue
        const packet = packets.subarray(at, at + packetBytes)
        parts.push(packets.subarray(from, at), withTime(packet, codec, timeUnit(codec, timeOf(pts))))
        from = at + packetBytes
      }
      return parts.length === 0 ? packets : Buffer.concat([...parts, packets.subarray(from)])
    },
  }
}

/** The first packet of a frame as one or two: the unit comes after the delimiter. */
function withTime(packet: Buffer, codec: VideoCodec, unit: Buffer): Buffer {
  const start = payloadStart(packet, 0)
  const place = placeOf(packet, start, codec)
  const first = Buffer.concat([packet.subarray(start, place), unit])
  const rest = packet.subarray(place)
  if (first.length + fixedAdaptation(packet).length + 1 > payloadBytes) return packet
  lengthen(first, unit.length)
  const opening = packetOf(packet, first, fixedAdaptation(packet))
  if (rest.length === 0) return opening
  const follower = packetOf(packet, rest, Buffer.alloc(0))
  follower[1] = follower[1]! & 0xbf
  return Buffer.concat([opening, follower])
}

/** Behind the head of the PES packet and the delimiter of the frame. */
function placeOf(packet: Buffer, start: number, codec: VideoCodec): number {
  const content = start + 9 + packet[start + 8]!
  const code = packet.indexOf(Buffer.from([0, 0, 1]), content)
  const { type, bytes } = delimiter[codec]
  const isDelimiter = code >= content && code <= content + 1 && packet[code + 3] === type
  return isDelimiter ? code + 3 + bytes : content
}

/** A length of 0, which video may have, is kept. */
function lengthen(pes: Buffer, bytes: number): void {
  const length = pes.readUInt16BE(4)
  if (length === 0) return
  pes.writeUInt16BE(length + bytes > 0xffff ? 0 : length + bytes, 4)
}

/** Flags and clock reference of the packet's adaptation field, without its stuffing. */
function fixedAdaptation(packet: Buffer): Buffer {
  const hasField = (packet[3]! & 0x20) !== 0 && packet[4]! > 0
  if (!hasField) return Buffer.alloc(0)
  return packet.subarray(5, pcrOf(packet, 0) === undefined ? 6 : 12)
}

/** A packet of the same stream with this payload, filled up by its adaptation field. */
function packetOf(like: Buffer, payload: Buffer, adaptation: Buffer): Buffer {
  const packet = Buffer.alloc(packetBytes, 0xff)
  like.copy(packet, 0, 0, headBytes)
  packet[3] = (packet[3]! & 0xcf) | (payload.length < payloadBytes ? 0x30 : 0x10)
  payload.copy(packet, packetBytes - payload.length)
  const field = payloadBytes - payload.length - 1
  if (field < 0) return packet
  packet[headBytes] = field
  if (field > 0) packet[headBytes + 1] = 0
  adaptation.copy(packet, headBytes + 1)
  return packet
}
