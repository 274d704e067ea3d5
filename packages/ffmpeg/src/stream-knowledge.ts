// The knowledge of a channel's bus about the stream of one source: tables, picture, losses, the newest group of pictures.

import { readSequenceParameters, type SequenceParameters } from './sequence-parameters.ts'
import {
  createContinuityCheck,
  packetBytes,
  payloadStart,
  pidOf,
  ptsOf,
  stampDistance,
  startsUnit,
} from './ts-packets.ts'
import { createStreamFinder, startsKeyFrame, type TsStream } from './ts-streams.ts'

/** At most this much of the newest group of pictures is kept; without key frames, nothing. */
const MOST_CACHED_BYTES = 12 << 20
/** Bytes of a key frame that are searched for the parameter sets, and for what encoders put between them and the picture. */
const HEAD_BYTES = 4096
const FRAMES_FOR_RATE = 61
/** At most this many frames near an end are shown before others that come first. */
const REORDERED_FRAMES = 4

export interface Picture extends SequenceParameters {
  readonly codec: TsStream['codec']
  /** 0 until enough frames were seen. */
  readonly fps: number
  /** Frames are stored in another order than they are shown in. */
  readonly isReordered: boolean
}

export function createStreamKnowledge() {
  const finder = createStreamFinder()
  const continuity = createContinuityCheck()
  const rate = createFrameRate()
  const head = createHeadReader()
  const group = createGroupCache()
  const tables = new Map<number, Buffer>()
  let tablesAtKey = Buffer.alloc(0)
  let isReordered = false

  function inspectUnit(packets: Buffer, at: number): boolean {
    const video = finder.video()
    // Sound alone has no key frames: one may begin anywhere.
    if (!video) return startsUnit(packets, at) && pidOf(packets, at) === finder.audio()?.pid
    if (pidOf(packets, at) !== video.pid) return false
    const starts = startsUnit(packets, at)
    if (starts) {
      const pts = ptsOf(packets, at)
      if (pts !== undefined) rate.note(pts)
      if (hasOtherDecodingTime(packets, at)) isReordered = true
    }
    const isKey = startsKeyFrame(packets, at, video)
    head.push(packets, at, starts, isKey, video.codec)
    return isKey
  }

  return {
    finder,
    check: (packets: Buffer) => continuity.push(packets),
    errors: () => continuity.errors(),
    /** True when a key frame begins in this packet. */
    inspect(packets: Buffer, at: number): boolean {
      finder.push(packets, at)
      const pid = pidOf(packets, at)
      if ((pid === 0 || pid === finder.pmtPid()) && startsUnit(packets, at))
        tables.set(pid, Buffer.from(packets.subarray(at, at + packetBytes)))
      return inspectUnit(packets, at)
    },
    /** The key frame that `inspect` has just found is where readers may begin. */
    keyBegins(): void {
      tablesAtKey = Buffer.concat([...tables.entries()].sort(([a], [b]) => a - b).map(([, packet]) => packet))
    },
    /** The tables before the newest key frame, so that the counters of the ones after it follow on from them. */
    tables: () => tablesAtKey,
    keep: group.keep,
    cached: group.cached,
    picture(): Picture | undefined {
      const codec = finder.video()?.codec
      const parameters = head.parameters()
      return parameters && codec ? { ...parameters, codec, fps: rate.fps(), isReordered } : undefined
    },
  }
}

/** Gathers the first bytes of each key frame and reads the parameter sets in them. */
function createHeadReader() {
  let gathered: { bytes: Buffer[]; length: number } | undefined
  let parameters: SequenceParameters | undefined

  function finish(codec: TsStream['codec']): void {
    if (gathered && (codec === 'h264' || codec === 'h265'))
      parameters = readSequenceParameters(Buffer.concat(gathered.bytes), codec) ?? parameters
    gathered = undefined
  }

  return {
    push(packets: Buffer, at: number, starts: boolean, isKey: boolean, codec: TsStream['codec']): void {
      if (starts) finish(codec)
      if (isKey) gathered = { bytes: [], length: 0 }
      if (!gathered) return
      const payload = packets.subarray(payloadStart(packets, at), at + packetBytes)
      gathered.bytes.push(payload)
      gathered.length += payload.length
      if (gathered.length >= HEAD_BYTES) finish(codec)
    },
    parameters: () => parameters,
  }
}

/** Keeps everything since the newest key frame. */
function createGroupCache() {
  let group: Buffer[] = []
  let bytes = 0
  let isWhole = false
  return {
    keep(packets: Buffer, startsAtKey: boolean): void {
      if (startsAtKey) {
        group = []
        bytes = 0
        isWhole = true
      }
      bytes += packets.length
      if (bytes > MOST_CACHED_BYTES) {
        isWhole = false
        group = []
      }
      if (isWhole) group.push(packets)
    },
    cached: (): readonly Buffer[] => group,
  }
}

/** A decoding stamp is written only where it differs from the presentation stamp. */
function hasOtherDecodingTime(packets: Buffer, at: number): boolean {
  const start = payloadStart(packets, at)
  return start + 8 < at + packetBytes && (packets[start + 7]! & 0xc0) === 0xc0
}

/** Frames a second by the stamps of the newest frames, in any order. */
function createFrameRate() {
  let stamps: number[] = []
  return {
    note(pts: number): void {
      const last = stamps.at(-1)
      // A jump is a new timeline, not a slow picture.
      if (last !== undefined && Math.abs(stampDistance(last, pts)) > 90_000) stamps = []
      stamps.push(pts)
      if (stamps.length > FRAMES_FOR_RATE) stamps.shift()
    },
    fps(): number {
      const first = stamps[0]
      if (first === undefined || stamps.length < 5) return 0
      const distances = stamps.map((stamp) => stampDistance(first, stamp)).sort((a, b) => a - b)
      // Between the frames near both ends others may be missing.
      const unsure = Math.min(REORDERED_FRAMES, Math.floor(stamps.length / 4))
      const sure = distances.slice(unsure, stamps.length - unsure)
      const span = sure.at(-1)! - sure[0]!
      return span > 0 ? Math.round(((sure.length - 1) * 9_000_000) / span) / 100 : 0
    },
  }
}
