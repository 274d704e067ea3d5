// The parts of RTP (RFC 3550 §5.1) and of its H.264 payload (RFC 6184 §5) that the feed needs.

const HEADER_BYTES = 12
const sequenceParameterSet = 7
const aggregation = 24

export const payloadTypeOf = (packet: Buffer): number => packet[1]! & 0x7f
/** RTCP shares the port: its packet types 200 to 204 read as payload types 72 to 76 (RFC 5761 §4). */
export const isRtp = (packet: Buffer): boolean =>
  packet.length > HEADER_BYTES &&
  packet[0]! >> 6 === 2 &&
  (packetTypeOf(packet) < 200 || packetTypeOf(packet) > 204)
const packetTypeOf = (packet: Buffer): number => packet[1]!

/** Whether the packet opens a group of pictures: it carries a sequence parameter set, alone or with others. */
export function opensGroup(packet: Buffer): boolean {
  const type = packet[HEADER_BYTES]! & 0x1f
  if (type === sequenceParameterSet) return true
  if (type !== aggregation) return false
  for (let at = HEADER_BYTES + 1; at + 2 < packet.length; at += 2 + packet.readUInt16BE(at)) {
    if ((packet[at + 2]! & 0x1f) === sequenceParameterSet) return true
  }
  return false
}

/**
 * Makes one unbroken stream of the streams of several programs, one after the other: sequence numbers continue by one, timestamps by
 * the time that passed. Rewrites the packets in place.
 */
export function createContinuity(clockHz: number) {
  let sequenceOffset = 0
  let stampOffset = 0
  let last: { sequence: number; stamp: number; atMs: number } | undefined
  let isFirst = true
  return {
    /** Another program sends from now on. */
    begin(): void {
      isFirst = true
    },
    rewrite(packet: Buffer, nowMs: number): void {
      const sequence = packet.readUInt16BE(2)
      const stamp = packet.readUInt32BE(4)
      if (isFirst && last) {
        const passed = Math.max(1, Math.round(((nowMs - last.atMs) * clockHz) / 1000))
        sequenceOffset = last.sequence + 1 - sequence
        stampOffset = last.stamp + passed - stamp
      }
      isFirst = false
      const next = {
        sequence: (sequence + sequenceOffset) & 0xffff,
        stamp: (stamp + stampOffset) >>> 0,
        atMs: nowMs,
      }
      packet.writeUInt16BE(next.sequence, 2)
      packet.writeUInt32BE(next.stamp, 4)
      last = next
    },
  }
}

/** Packets in a row that came no faster than they are played. */
const STEADY_PACKETS = 3
const STEADY_MS = 5

/**
 * Detects when a program has caught up: at its start it is given the past second in a burst. Players keep such sound
 * as delay for seconds, so it must not reach them.
 */
export function createCatchUp(clockHz: number) {
  let leastMs = Number.POSITIVE_INFINITY
  let steady = 0
  return {
    begin(): void {
      leastMs = Number.POSITIVE_INFINITY
      steady = 0
    },
    /** True from the first packet in real time on. */
    isOver(packet: Buffer, nowMs: number): boolean {
      if (steady >= STEADY_PACKETS) return true
      const lateMs = nowMs - (packet.readUInt32BE(4) * 1000) / clockHz
      steady = lateMs < leastMs - STEADY_MS ? 0 : steady + 1
      leastMs = Math.min(leastMs, lateMs)
      return steady >= STEADY_PACKETS
    },
  }
}
