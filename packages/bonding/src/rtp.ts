// RTP packets as RIST Simple Profile uses them: MPEG-TS payload, lowest bit of the SSRC marks a retransmission.

const RTP_HEADER_BYTES = 12
export const RTP_CLOCK_PER_MS = 90
const PAYLOAD_TYPE_MPEG_TS = 33

export type RtpHeader = {
  /** 16-bit sequence number. */
  sequence: number
  /** 90 kHz, 32 bits. */
  timestamp: number
  /** SSRC with its lowest bit cleared. */
  ssrc: number
}

export type RtpPacket = RtpHeader & {
  retransmitted: boolean
  /** Bytes before the payload, extension included. */
  headerBytes: number
  extension: RtpExtension | null
  payload: Buffer
}

/** Time in milliseconds to a 90 kHz RTP timestamp that wraps at 32 bits. */
export function rtpTimestamp(nowMs: number): number {
  return Math.floor(nowMs * RTP_CLOCK_PER_MS) % 2 ** 32
}

export type RtpExtension = { profile: number; data: Buffer }

/** The size of a header with its extension, whose data must be a multiple of 4 bytes. */
export function rtpHeaderBytes(extension?: RtpExtension): number {
  return RTP_HEADER_BYTES + (extension ? 4 + extension.data.length : 0)
}

/** Header and extension to the beginning of a datagram; RFC 3550 §5.1, §5.3.1. */
export function writeRtpHeader(bytes: Buffer, header: RtpHeader, extension?: RtpExtension): void {
  bytes[0] = extension ? 0x90 : 0x80
  bytes[1] = PAYLOAD_TYPE_MPEG_TS
  bytes.writeUInt16BE(header.sequence, 2)
  bytes.writeUInt32BE(header.timestamp, 4)
  bytes.writeUInt32BE(header.ssrc, 8)
  if (extension) {
    bytes.writeUInt16BE(extension.profile, 12)
    bytes.writeUInt16BE(extension.data.length / 4, 14)
    extension.data.copy(bytes, 16)
  }
}

/** A copy of a sent packet marked as a retransmission (TR-06-1 §5.3.3: SSRC with the lowest bit set). */
export function asRetransmission(packet: Buffer): Buffer {
  const copy = Buffer.from(packet)
  copy[11] = (copy[11] ?? 0) | 1
  return copy
}

/** Reads a datagram; null when it is not an RTP packet of version 2 that carries MPEG-TS. */
export function readRtp(bytes: Buffer): RtpPacket | null {
  if (bytes.length < RTP_HEADER_BYTES) return null
  const flags = bytes.readUInt8(0)
  if (flags >> 6 !== 2 || (bytes.readUInt8(1) & 0x7f) !== PAYLOAD_TYPE_MPEG_TS) return null
  let headerBytes = RTP_HEADER_BYTES + (flags & 0x0f) * 4
  let extension: RtpPacket['extension'] = null
  if (flags & 0x10) {
    if (bytes.length < headerBytes + 4) return null
    const dataBytes = bytes.readUInt16BE(headerBytes + 2) * 4
    const start = headerBytes + 4
    extension = { profile: bytes.readUInt16BE(headerBytes), data: bytes.subarray(start, start + dataBytes) }
    headerBytes = start + dataBytes
  }
  const padding = flags & 0x20 ? bytes.readUInt8(bytes.length - 1) : 0
  if (headerBytes + padding > bytes.length) return null
  const ssrc = bytes.readUInt32BE(8)
  return {
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: (ssrc & ~1) >>> 0,
    retransmitted: (ssrc & 1) === 1,
    headerBytes,
    extension,
    payload: bytes.subarray(headerBytes, bytes.length - padding),
  }
}

/** Whether a datagram on the media port is RTCP (RFC 5761 §4: packet types 192 to 223). */
export function isRtcp(bytes: Buffer): boolean {
  const type = bytes[1] ?? 0
  return type >= 192 && type <= 223
}
