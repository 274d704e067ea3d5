// Matroska as a live stream (RFC 9559): HEVC and AAC of an RTMP sender for an ffmpeg that does not read HEVC in FLV.

export interface MatroskaTracks {
  /** HEVCDecoderConfigurationRecord. */
  readonly hevc: Buffer
  /** AudioSpecificConfig; undefined for a sender without sound. */
  readonly aac: Buffer | undefined
}

export const VIDEO_TRACK = 1
export const SOUND_TRACK = 2

const ids = {
  ebml: '1a45dfa3',
  docType: '4282',
  docTypeVersion: '4287',
  docTypeReadVersion: '4285',
  segment: '18538067',
  info: '1549a966',
  timestampScale: '2ad7b1',
  muxingApp: '4d80',
  writingApp: '5741',
  tracks: '1654ae6b',
  track: 'ae',
  trackNumber: 'd7',
  trackUid: '73c5',
  trackType: '83',
  flagLacing: '9c',
  codecId: '86',
  codecPrivate: '63a2',
  audio: 'e1',
  samplingFrequency: 'b5',
  channels: '9f',
  cluster: '1f43b675',
  timestamp: 'e7',
  simpleBlock: 'a3',
} as const
type Name = keyof typeof ids

/** The size field of a segment without an end. */
const unknownSize = Buffer.from('01ffffffffffffff', 'hex')

function element(name: Name, content: Buffer | string | number): Buffer {
  const body = typeof content === 'number' ? unsigned(content) : Buffer.from(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x1000_0000 | body.length)
  return Buffer.concat([Buffer.from(ids[name], 'hex'), size, body])
}

const within = (name: Name, ...children: readonly Buffer[]): Buffer => element(name, Buffer.concat(children))

function unsigned(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** The header before all blocks. */
export function matroskaHeader({ hevc, aac }: MatroskaTracks): Buffer {
  const video = trackOf(VIDEO_TRACK, 1, 'V_MPEGH/ISO/HEVC', hevc)
  const tracks = aac ? [video, trackOf(SOUND_TRACK, 2, 'A_AAC', aac, soundOf(aac))] : [video]
  return Buffer.concat([
    within(
      'ebml',
      element('docType', 'matroska'),
      element('docTypeVersion', 4),
      element('docTypeReadVersion', 2),
    ),
    Buffer.from(ids.segment, 'hex'),
    unknownSize,
    within(
      'info',
      element('timestampScale', 1_000_000),
      element('muxingApp', 'Backhaul'),
      element('writingApp', 'Backhaul'),
    ),
    within('tracks', ...tracks),
  ])
}

function trackOf(number: number, type: 1 | 2, codec: string, description: Buffer, ...more: Buffer[]): Buffer {
  const head = [element('trackNumber', number), element('trackUid', number), element('trackType', type)]
  const coding = [element('flagLacing', 0), element('codecId', codec), element('codecPrivate', description)]
  return within('track', ...head.concat(coding, more))
}

/** By the index in AudioSpecificConfig (ISO/IEC 14496-3, table 1.16). */
const samplingRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
]

function soundOf(aac: Buffer): Buffer {
  const bits = aac.length < 2 ? 0 : aac.readUInt16BE(0)
  const rate = samplingRates[(bits >> 7) & 15] ?? 48_000
  return within(
    'audio',
    element('samplingFrequency', float(rate)),
    element('channels', (bits >> 3) & 15 || 2),
  )
}

export interface MatroskaBlock {
  readonly track: number
  /** Decoding time, from 0. */
  readonly timestampMs: number
  /** The delay of presentation after decoding. */
  readonly offsetMs: number
  readonly isKey: boolean
  readonly payload: Buffer
}

const LONGEST_OFFSET_MS = 0x7fff

/** In a cluster of its own, so that nothing waits for a cluster to become complete. */
export function matroskaBlock({ track, timestampMs, offsetMs, isKey, payload }: MatroskaBlock): Buffer {
  const head = Buffer.from([0x80 | track, 0, 0, isKey ? 0x80 : 0])
  head.writeInt16BE(Math.min(LONGEST_OFFSET_MS, Math.max(-LONGEST_OFFSET_MS, offsetMs)), 1)
  return within(
    'cluster',
    element('timestamp', timestampMs),
    element('simpleBlock', Buffer.concat([head, payload])),
  )
}
