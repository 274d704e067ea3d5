import { hasPayload, isRandomAccess, packetBytes, payloadStart, pidOf, startsUnit } from './ts-packets.ts'

export interface TsStream {
  readonly pid: number
  readonly kind: 'video' | 'audio' | 'other'
  readonly codec: 'h264' | 'h265' | 'aac' | 'mpeg2' | 'mp2' | 'opus' | 'ac3' | 'other'
}

type Kind = Pick<TsStream, 'kind' | 'codec'>

// Stream types of ISO/IEC 13818-1 table 2-34; 0x06 is private data, where ffmpeg puts Opus.
const streamTypes: Readonly<Record<number, Kind>> = {
  2: { kind: 'video', codec: 'mpeg2' },
  3: { kind: 'audio', codec: 'mp2' },
  4: { kind: 'audio', codec: 'mp2' },
  6: { kind: 'audio', codec: 'opus' },
  15: { kind: 'audio', codec: 'aac' },
  17: { kind: 'audio', codec: 'aac' },
  27: { kind: 'video', codec: 'h264' },
  36: { kind: 'video', codec: 'h265' },
  129: { kind: 'audio', codec: 'ac3' },
}

/** Learns from PAT and PMT the streams of the PIDs (the first programme; tables of one packet, as encoders send them). */
export function createStreamFinder() {
  let pmtPid: number | undefined
  let streams: readonly TsStream[] = []
  // Needed for each packet.
  let video: TsStream | undefined
  let audio: TsStream | undefined
  let audioPids: readonly number[] = []

  function note(found: readonly TsStream[]): void {
    streams = found
    video = streams.find(({ kind }) => kind === 'video')
    const sounds = streams.filter(({ kind }) => kind === 'audio')
    audio = sounds[0]
    audioPids = sounds.map(({ pid }) => pid)
  }

  return {
    /** Reads one packet; call it for every packet, only tables cost time. */
    push(bytes: Uint8Array, at: number): void {
      const pid = pidOf(bytes, at)
      if (pid !== 0 && pid !== pmtPid) return
      const section = sectionOf(bytes, at)
      if (!section) return
      if (pid === 0) pmtPid = programmeMapPid(section) ?? pmtPid
      else note(programmeStreams(section) ?? streams)
    },
    streams: () => streams,
    pmtPid: () => pmtPid,
    video: () => video,
    /** The first of them. */
    audio: () => audio,
    audioPids: () => audioPids,
    isAudio: (pid: number) => audioPids.includes(pid),
  }
}

/** The table section that starts in this packet, without its checksum. */
function sectionOf(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (!startsUnit(bytes, at) || !hasPayload(bytes, at)) return undefined
  const payload = payloadStart(bytes, at)
  const start = payload + 1 + (bytes[payload] ?? 0)
  if (start + 12 > at + packetBytes) return undefined
  const length = ((bytes[start + 1]! & 0x0f) << 8) | bytes[start + 2]!
  return bytes.subarray(start, Math.min(start + 3 + length - 4, at + packetBytes))
}

const pidAt = (section: Uint8Array, at: number) => ((section[at]! & 0x1f) << 8) | section[at + 1]!

function programmeMapPid(section: Uint8Array): number | undefined {
  if (section[0] !== 0) return undefined
  for (let at = 8; at + 4 <= section.length; at += 4) {
    const programme = (section[at]! << 8) | section[at + 1]!
    if (programme !== 0) return pidAt(section, at + 2)
  }
  return undefined
}

function programmeStreams(section: Uint8Array): TsStream[] | undefined {
  if (section[0] !== 2 || section.length < 12) return undefined
  const streams: TsStream[] = []
  const infoLength = ((section[10]! & 0x0f) << 8) | section[11]!
  for (let at = 12 + infoLength; at + 5 <= section.length; ) {
    const kind = streamTypes[section[at]!] ?? { kind: 'other', codec: 'other' }
    streams.push({ pid: pidAt(section, at + 1), ...kind })
    at += 5 + (((section[at + 3]! & 0x0f) << 8) | section[at + 4]!)
  }
  return streams
}

/**
 * Whether a key frame of the video stream starts in this packet: the random access flag where the multiplexer sets
 * it, else parameter sets or an intra picture at the head of the access unit.
 */
export function startsKeyFrame(bytes: Uint8Array, at: number, video: TsStream): boolean {
  if (pidOf(bytes, at) !== video.pid || !startsUnit(bytes, at)) return false
  if (isRandomAccess(bytes, at)) return true
  const end = at + packetBytes
  for (let index = payloadStart(bytes, at); index + 3 < end; index++) {
    if (bytes[index] !== 0 || bytes[index + 1] !== 0 || bytes[index + 2] !== 1) continue
    if (isIntraUnit(bytes[index + 3]!, video.codec)) return true
  }
  return false
}

function isIntraUnit(header: number, codec: TsStream['codec']): boolean {
  if (codec === 'h264') {
    const type = header & 0x1f
    return (header & 0x80) === 0 && (type === 5 || type === 7)
  }
  if (codec !== 'h265' || (header & 0x80) !== 0) return false
  const type = header >> 1
  return (type >= 16 && type <= 21) || (type >= 32 && type <= 34)
}
