// H.264 of a transport stream as RTP (RFC 6184), without a program in between: each picture leaves as soon as all of it is here.
import { hasPayload, packetBytes, payloadStart, pidOf, ptsOf, startsUnit } from '@backhaul/ffmpeg/ts-packets'
import { RTP_PACKET_BYTES } from './rtp-arguments.ts'

const HEADER_BYTES = 12
const MOST_PAYLOAD = RTP_PACKET_BYTES - HEADER_BYTES
const START_CODE = Buffer.from([0, 0, 1])
const fragmentation = 28
/** Types that a decoder does not need: supplemental information, access unit delimiters, filling. */
const omittedTypes = new Set([6, 9, 12])
/** This many pictures must have ended in a stuffed packet before one is taken to end in it. */
const PROOFS = 5

const typeOf = (unit: Buffer) => unit[0]! & 0x1f

/** The network abstraction layer units of a byte stream (H.264 annex B) that a decoder needs. */
export function unitsOf(bytes: Buffer): Buffer[] {
  const units: Buffer[] = []
  let from = bytes.indexOf(START_CODE)
  while (from >= 0) {
    const begin = from + START_CODE.length
    from = bytes.indexOf(START_CODE, begin)
    let end = from < 0 ? bytes.length : from
    while (end > begin && bytes[end - 1] === 0) end--
    const unit = bytes.subarray(begin, end)
    if (unit.length > 0 && !omittedTypes.has(typeOf(unit))) units.push(unit)
  }
  return units
}

/** Numbers the packets of one stream. */
export function createPacketiser(payloadType: number, onPacket: (packet: Buffer) => void) {
  let sequence = 0

  function send(stamp: number, isLast: boolean, head: readonly number[], rest: Buffer): void {
    const packet = Buffer.allocUnsafe(HEADER_BYTES + head.length + rest.length)
    packet[0] = 0x80
    packet[1] = payloadType | (isLast ? 0x80 : 0)
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(stamp, 4)
    packet.writeUInt32BE(0, 8)
    packet.set(head, HEADER_BYTES)
    packet.set(rest, HEADER_BYTES + head.length)
    sequence = (sequence + 1) & 0xffff
    onPacket(packet)
  }

  function sendInPieces(unit: Buffer, stamp: number, isLastUnit: boolean): void {
    const indicator = (unit[0]! & 0xe0) | fragmentation
    for (let at = 1; at < unit.length; at += MOST_PAYLOAD - 2) {
      const piece = unit.subarray(at, at + MOST_PAYLOAD - 2)
      const isEnd = at + piece.length === unit.length
      const header = (at === 1 ? 0x80 : 0) | (isEnd ? 0x40 : 0) | typeOf(unit)
      send(stamp, isLastUnit && isEnd, [indicator, header], piece)
    }
  }

  return (picture: Buffer, stamp: number): void => {
    const units = unitsOf(picture)
    for (const [index, unit] of units.entries()) {
      const isLast = index === units.length - 1
      if (unit.length <= MOST_PAYLOAD) send(stamp, isLast, [], unit)
      else sendInPieces(unit, stamp, isLast)
    }
  }
}

/** Puts the pictures of one PID together, each with its presentation stamp (90 kHz, 32 bits). */
export function createPictureReader(onPicture: (bytes: Buffer, stamp: number) => void) {
  const ending = createEndingRule()
  let parts: Buffer[] = []
  let stamp = 0
  let isOpen = false

  function finish(): void {
    if (isOpen) onPicture(parts.length === 1 ? parts[0]! : Buffer.concat(parts), stamp)
    isOpen = false
    parts = []
  }

  function begin(packets: Buffer, at: number): void {
    const start = payloadStart(packets, at)
    const pts = ptsOf(packets, at)
    if (pts !== undefined) stamp = pts % 2 ** 32
    isOpen = true
    parts.push(
      packets.subarray(Math.min(start + 9 + (packets[start + 8] ?? 0), at + packetBytes), at + packetBytes),
    )
  }

  return (packets: Buffer, pid: number | undefined): void => {
    for (let at = 0; at < packets.length; at += packetBytes) {
      if (pidOf(packets, at) !== pid || !hasPayload(packets, at)) continue
      if (startsUnit(packets, at)) {
        finish()
        begin(packets, at)
      } else if (isOpen) parts.push(packets.subarray(payloadStart(packets, at), at + packetBytes))
      if (ending.isLast(packets, at)) finish()
    }
  }
}

/**
 * A multiplexer fills the last packet of a picture, so that the next one begins in a packet of its own: the picture need not
 * wait for it. This holds only for a stream that has shown it, and never for one that continues behind such a packet.
 */
function createEndingRule() {
  let wasStuffed = false
  let proofs = 0
  let isRefuted = false
  return {
    isLast(packets: Buffer, at: number): boolean {
      if (wasStuffed && startsUnit(packets, at)) proofs++
      else if (wasStuffed) isRefuted = true
      wasStuffed = isStuffed(packets, at)
      return wasStuffed && !isRefuted && proofs >= PROOFS
    },
  }
}

/** The adaptation field is longer than the clock references in it; one with anything else in it counts as full. */
function isStuffed(packets: Buffer, at: number): boolean {
  if ((packets[at + 3]! & 0x20) === 0) return false
  const length = packets[at + 4]!
  if (length === 0) return true
  const flags = packets[at + 5]!
  if ((flags & 0x07) !== 0) return false
  return length > 1 + ((flags & 0x10) === 0 ? 0 : 6) + ((flags & 0x08) === 0 ? 0 : 6)
}
