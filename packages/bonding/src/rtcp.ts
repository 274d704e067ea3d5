// RTCP of RIST Simple Profile: reports, source description, both kinds of NACK, round-trip echo; and terms of links, our own.

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const APPLICATION = 204
const BITMASK_NACK = 205
const RIST_NAME = 'RIST'
/** Only between ends of ours: others skip it. */
const TERMS_NAME = 'BKTM'
const TERMS_HEAD_BYTES = 18
const RANGE_NACK_SUBTYPE = 0
const ECHO_REQUEST_SUBTYPE = 2
const ECHO_RESPONSE_SUBTYPE = 3
const NTP_EPOCH_SECONDS = 2_208_988_800
/** More numbers in one datagram are invalid or an attack. */
const MOST_NACKED_PER_DATAGRAM = 4096
const RANGES_PER_NACK = 250

export type ReportBlock = {
  /** 0 to 255, share of packets lost since the last report in 1/256. */
  fractionLost: number
  cumulativeLost: number
  highestSequence: number
  /** Middle 32 bits of the NTP time of the last sender report; 0 when none came. */
  lastReport: number
  /** Time since that report in 1/65536 s. */
  sinceLastReport: number
}

export type RtcpItem =
  | { kind: 'senderReport'; ssrc: number; ntpMiddle: number; packets: number; bytes: number }
  | { kind: 'receiverReport'; ssrc: number; highestSequence: number | null }
  | { kind: 'sourceDescription'; ssrc: number; cname: string }
  | { kind: 'nack'; sequences: number[] }
  | { kind: 'echoRequest'; ssrc: number; timestamp: bigint }
  | { kind: 'echoResponse'; ssrc: number; timestamp: bigint; delayUs: number }
  | { kind: 'terms'; ssrc: number; revision: number; bytes: Buffer }

function packet(countOrSubtype: number, type: number, bodyBytes: number): Buffer {
  const bytes = Buffer.alloc(4 + bodyBytes)
  bytes[0] = 0x80 | countOrSubtype
  bytes[1] = type
  bytes.writeUInt16BE(bytes.length / 4 - 1, 2)
  return bytes
}

/** Sender report without blocks (RFC 3550 §6.4.1); packets and bytes are those sent over this one link. */
export function senderReport(report: {
  ssrc: number
  wallMs: number
  timestamp: number
  packets: number
  bytes: number
}): Buffer {
  const bytes = packet(0, SENDER_REPORT, 24)
  const ntpSeconds = report.wallMs / 1000 + NTP_EPOCH_SECONDS
  bytes.writeUInt32BE(report.ssrc, 4)
  bytes.writeUInt32BE(Math.floor(ntpSeconds) % 2 ** 32, 8)
  bytes.writeUInt32BE(Math.floor((ntpSeconds % 1) * 2 ** 32), 12)
  bytes.writeUInt32BE(report.timestamp, 16)
  bytes.writeUInt32BE(report.packets % 2 ** 32, 20)
  bytes.writeUInt32BE(report.bytes % 2 ** 32, 24)
  return bytes
}

/** Receiver report, empty or with one block about `mediaSsrc` (RFC 3550 §6.4.2). */
export function receiverReport(ssrc: number, mediaSsrc?: number, block?: ReportBlock): Buffer {
  const bytes = packet(block ? 1 : 0, RECEIVER_REPORT, block ? 28 : 4)
  bytes.writeUInt32BE(ssrc, 4)
  if (block) {
    bytes.writeUInt32BE(mediaSsrc ?? 0, 8)
    bytes.writeUInt32BE(Math.min(block.cumulativeLost, 0x7fffff), 12)
    bytes[12] = block.fractionLost
    bytes.writeUInt32BE(block.highestSequence % 2 ** 32, 16)
    bytes.writeUInt32BE(block.lastReport, 24)
    bytes.writeUInt32BE(block.sinceLastReport % 2 ** 32, 28)
  }
  return bytes
}

/** Source description with a CNAME of at most 255 bytes (RFC 3550 §6.5). */
export function sourceDescription(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname, 'utf8').subarray(0, 255)
  // One zero byte at least ends the list of items; the rest is padding to 32 bits.
  const bytes = packet(1, SOURCE_DESCRIPTION, Math.ceil((4 + 2 + name.length + 1) / 4) * 4)
  bytes.writeUInt32BE(ssrc, 4)
  bytes[8] = 1
  bytes[9] = name.length
  name.copy(bytes, 10)
  return bytes
}

function echo(subtype: number, ssrc: number, timestamp: bigint, delayUs = 0): Buffer {
  const bytes = packet(subtype, APPLICATION, 20)
  bytes.writeUInt32BE(ssrc, 4)
  bytes.write(RIST_NAME, 8, 'latin1')
  bytes.writeBigUInt64BE(timestamp, 12)
  bytes.writeUInt32BE(delayUs, 20)
  return bytes
}

/** Round-trip echo request (TR-06-1 §5.2.6); the timestamp is the requester's own and comes back unchanged. */
export function echoRequest(ssrc: number, timestamp: bigint): Buffer {
  return echo(ECHO_REQUEST_SUBTYPE, ssrc, timestamp)
}

/** Answer to an echo request that came `delayUs` ago, in microseconds. The SSRC must be the requester's (librist checks). */
export function echoResponse(ssrc: number, timestamp: bigint, delayUs = 0): Buffer {
  return echo(ECHO_RESPONSE_SUBTYPE, ssrc, timestamp, delayUs)
}

/** Range NACKs (TR-06-1 §5.3.2.2) for ascending 16-bit sequence numbers; more than one packet when many. */
export function rangeNacks(mediaSsrc: number, sequences: readonly number[]): Buffer[] {
  const ranges: { start: number; extra: number }[] = []
  for (const sequence of sequences) {
    const last = ranges.at(-1)
    if (last && ((last.start + last.extra + 1) & 0xffff) === sequence) last.extra++
    else ranges.push({ start: sequence, extra: 0 })
  }
  const packets: Buffer[] = []
  for (let from = 0; from < ranges.length; from += RANGES_PER_NACK) {
    const part = ranges.slice(from, from + RANGES_PER_NACK)
    const bytes = packet(RANGE_NACK_SUBTYPE, APPLICATION, 8 + part.length * 4)
    bytes.writeUInt32BE(mediaSsrc, 4)
    bytes.write(RIST_NAME, 8, 'latin1')
    for (const [index, range] of part.entries()) {
      bytes.writeUInt16BE(range.start, 12 + index * 4)
      bytes.writeUInt16BE(range.extra, 14 + index * 4)
    }
    packets.push(bytes)
  }
  return packets
}

/** How the far end is to use its links (link-terms.ts); terms of a later revision replace the earlier ones. */
export function linkTerms(ssrc: number, revision: number, terms: Uint8Array): Buffer {
  const bytes = packet(0, APPLICATION, Math.ceil((TERMS_HEAD_BYTES - 4 + terms.length) / 4) * 4)
  bytes.writeUInt32BE(ssrc, 4)
  bytes.write(TERMS_NAME, 8, 'latin1')
  bytes.writeUInt32BE(revision, 12)
  bytes.writeUInt16BE(terms.length, 16)
  bytes.set(terms, TERMS_HEAD_BYTES)
  return bytes
}

function readLinkTerms(body: Buffer): RtcpItem | null {
  if (body.length < TERMS_HEAD_BYTES) return null
  const end = TERMS_HEAD_BYTES + body.readUInt16BE(16)
  if (end > body.length) return null
  const bytes = body.subarray(TERMS_HEAD_BYTES, end)
  return { kind: 'terms', ssrc: body.readUInt32BE(4), revision: body.readUInt32BE(12), bytes }
}

function readRangeNack(body: Buffer): number[] {
  const sequences: number[] = []
  for (let at = 12; at + 4 <= body.length; at += 4) {
    const start = body.readUInt16BE(at)
    const extra = body.readUInt16BE(at + 2)
    for (let step = 0; step <= extra && sequences.length < MOST_NACKED_PER_DATAGRAM; step++)
      sequences.push((start + step) & 0xffff)
  }
  return sequences
}

function readBitmaskNack(body: Buffer): number[] {
  const sequences: number[] = []
  for (let at = 12; at + 4 <= body.length; at += 4) {
    const start = body.readUInt16BE(at)
    const mask = body.readUInt16BE(at + 2)
    sequences.push(start)
    for (let bit = 0; bit < 16; bit++) if ((mask >> bit) & 1) sequences.push((start + 1 + bit) & 0xffff)
  }
  return sequences
}

function readApplication(body: Buffer, subtype: number): RtcpItem | null {
  const name = body.toString('latin1', 8, 12)
  if (name === TERMS_NAME) return readLinkTerms(body)
  if (body.length < 12 || name !== RIST_NAME) return null
  const ssrc = body.readUInt32BE(4)
  if (subtype === RANGE_NACK_SUBTYPE) return { kind: 'nack', sequences: readRangeNack(body) }
  if (body.length < 20) return null
  const timestamp = body.readBigUInt64BE(12)
  if (subtype === ECHO_REQUEST_SUBTYPE) return { kind: 'echoRequest', ssrc, timestamp }
  if (subtype !== ECHO_RESPONSE_SUBTYPE) return null
  return { kind: 'echoResponse', ssrc, timestamp, delayUs: body.length >= 24 ? body.readUInt32BE(20) : 0 }
}

function readItem(body: Buffer): RtcpItem | null {
  const type = body[1]
  if (type === APPLICATION) return readApplication(body, body.readUInt8(0) & 0x1f)
  if (type === BITMASK_NACK && body.length >= 16) return { kind: 'nack', sequences: readBitmaskNack(body) }
  if (body.length < 8) return null
  const ssrc = body.readUInt32BE(4)
  if (type === RECEIVER_REPORT) {
    return { kind: 'receiverReport', ssrc, highestSequence: body.length >= 32 ? body.readUInt32BE(16) : null }
  }
  if (type === SENDER_REPORT && body.length >= 28) {
    const ntpMiddle = ((body.readUInt16BE(10) << 16) | body.readUInt16BE(12)) >>> 0
    return {
      kind: 'senderReport',
      ssrc,
      ntpMiddle,
      packets: body.readUInt32BE(20),
      bytes: body.readUInt32BE(24),
    }
  }
  if (type === SOURCE_DESCRIPTION && body.length >= 10 && body[8] === 1) {
    return { kind: 'sourceDescription', ssrc, cname: body.toString('utf8', 10, 10 + body.readUInt8(9)) }
  }
  return null
}

/** Reads a compound datagram; unknown packets are skipped, null when the datagram is no RTCP or is cut short. */
export function readRtcp(bytes: Buffer): RtcpItem[] | null {
  const items: RtcpItem[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length || bytes.readUInt8(at) >> 6 !== 2) return null
    const end = at + (bytes.readUInt16BE(at + 2) + 1) * 4
    if (end > bytes.length) return null
    const item = readItem(bytes.subarray(at, end))
    if (item) items.push(item)
    at = end
  }
  return items.length > 0 ? items : null
}

/** SSRC of the first packet of a compound: the source of the report; null when too short. */
export function rtcpSource(bytes: Buffer): number | null {
  return bytes.length >= 8 ? (bytes.readUInt32BE(4) & ~1) >>> 0 : null
}
