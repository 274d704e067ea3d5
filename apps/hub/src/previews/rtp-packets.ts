// What the feed must know of RTP (RFC 3550 §5.1) and of H.264 in it (RFC 6184 §5).

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
 * Makes one unbroken stream of the streams of several programs, one after the other: numbers go on by one, stamps by
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
