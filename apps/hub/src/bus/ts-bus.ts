// One channel's transport stream in memory: every packet passes here once and goes to whoever subscribed.
import {
  createContinuityCheck,
  createPacketAligner,
  packetBytes,
  payloadStart,
  pidOf,
  ptsOf,
  stampDistance,
  startsUnit,
} from '@backhaul/ffmpeg/ts-packets'
import { createStreamFinder, startsKeyFrame, type TsStream } from '@backhaul/ffmpeg/ts-streams'
import { readSequenceParameters, type SequenceParameters } from './sequence-parameters.ts'

/** Of the newest group of pictures at most this much is kept; without key frames nothing is. */
const MOST_CACHED_BYTES = 12 << 20
/** Bytes of a key frame that are searched for the parameter sets. */
const HEAD_BYTES = 1024
const FRAMES_FOR_RATE = 61

/** Gets whole packets; `startsAtKeyFrame` when the first of them begins a key frame. Must not block. */
export type TsReader = (packets: Buffer, startsAtKeyFrame: boolean) => void

export interface Picture extends SequenceParameters {
  readonly codec: TsStream['codec']
  /** 0 until enough frames were seen. */
  readonly fps: number
  /** Frames are stored in another order than they are shown in. */
  readonly isReordered: boolean
}

export interface TsBus {
  /** Bytes as they come from the source, in pieces of any size. */
  push(chunk: Buffer): void
  /**
   * Begins with the tables and the newest key frame that is known, or (`fromNext`) with the one to come.
   * Returns how to leave. A reader that throws is dropped and harms no other.
   */
  subscribe(read: TsReader, options?: { fromNext?: boolean }): () => void
  video(): TsStream | undefined
  audio(): TsStream | undefined
  picture(): Picture | undefined
  /** Changes whenever the tables name other streams than before. */
  layout(): string
  hasKeyFrame(): boolean
  lastDataMs(): number
  /** Since the last call. */
  takeBytes(): number
  continuityErrors(): number
  /** Forgets the stream but keeps its readers: another source begins. */
  reset(): void
}

export interface TsBusOptions {
  nowMs?: () => number
  onReaderFailed?: (error: unknown) => void
}

interface Reader {
  read: TsReader
  /** Waits for a key frame before it gets anything. */
  waiting: boolean
}

export function createTsBus({ nowMs = Date.now, onReaderFailed = () => {} }: TsBusOptions = {}): TsBus {
  const readers = new Set<Reader>()
  let stream = createStreamState()
  let bytes = 0
  let lastDataMs = 0

  function tell(reader: Reader, packets: Buffer, startsAtKey: boolean): void {
    if (!readers.has(reader)) return
    try {
      reader.read(packets, startsAtKey)
    } catch (error) {
      readers.delete(reader)
      onReaderFailed(error)
    }
  }

  function deliver(packets: Buffer, startsAtKey: boolean): void {
    stream.keep(packets, startsAtKey)
    for (const reader of readers) {
      if (reader.waiting && !startsAtKey) continue
      if (reader.waiting) {
        reader.waiting = false
        tell(reader, stream.tables(), false)
      }
      tell(reader, packets, startsAtKey)
    }
  }

  const aligner = createPacketAligner((packets) => {
    bytes += packets.length
    lastDataMs = nowMs()
    stream.check(packets)
    let from = 0
    let startsAtKey = false
    for (let at = 0; at < packets.length; at += packetBytes) {
      if (!stream.look(packets, at)) continue
      if (at > from) deliver(packets.subarray(from, at), startsAtKey)
      from = at
      startsAtKey = true
    }
    deliver(packets.subarray(from), startsAtKey)
  })

  return {
    push: aligner.push,
    subscribe(read, { fromNext = false } = {}) {
      const cached = fromNext ? [] : stream.cached()
      const reader: Reader = { read, waiting: cached.length === 0 }
      readers.add(reader)
      if (cached.length > 0) {
        tell(reader, stream.tables(), false)
        for (const [index, packets] of cached.entries()) tell(reader, packets, index === 0)
      }
      return () => void readers.delete(reader)
    },
    video: () => stream.finder.video(),
    audio: () => stream.finder.audio(),
    picture: () => stream.picture(),
    layout: () =>
      stream.finder
        .streams()
        .map(({ pid, codec }) => `${pid}:${codec}`)
        .join(' '),
    hasKeyFrame: () => stream.cached().length > 0,
    lastDataMs: () => lastDataMs,
    takeBytes() {
      const taken = bytes
      bytes = 0
      return taken
    },
    continuityErrors: () => stream.errors(),
    reset() {
      stream = createStreamState()
      for (const reader of readers) reader.waiting = true
    },
  }
}

/** What is known of the stream of one source. */
function createStreamState() {
  const finder = createStreamFinder()
  const continuity = createContinuityCheck()
  const rate = createFrameRate()
  const tables = new Map<number, Buffer>()
  let parameters: SequenceParameters | undefined
  let isReordered = false
  let group: Buffer[] = []
  let groupBytes = 0
  let isGroupWhole = false
  let head: { bytes: Buffer[]; length: number } | undefined

  function readHead(packets: Buffer, at: number, starts: boolean): void {
    if (starts && head) finishHead()
    if (!head) return
    const payload = packets.subarray(payloadStart(packets, at), at + packetBytes)
    head.bytes.push(payload)
    head.length += payload.length
    if (head.length >= HEAD_BYTES) finishHead()
  }

  function finishHead(): void {
    const codec = finder.video()?.codec
    if (head && (codec === 'h264' || codec === 'h265'))
      parameters = readSequenceParameters(Buffer.concat(head.bytes), codec) ?? parameters
    head = undefined
  }

  function lookAtUnit(packets: Buffer, at: number): boolean {
    const video = finder.video()
    if (!video) return startsUnit(packets, at) && pidOf(packets, at) === finder.audio()?.pid
    if (pidOf(packets, at) !== video.pid) return false
    const starts = startsUnit(packets, at)
    if (starts) {
      const pts = ptsOf(packets, at)
      if (pts !== undefined) rate.note(pts)
      if (hasOtherDecodingTime(packets, at)) isReordered = true
    }
    const isKey = starts && startsKeyFrame(packets, at, video)
    if (isKey) {
      finishHead()
      head = { bytes: [], length: 0 }
    }
    readHead(packets, at, starts && !isKey)
    return isKey
  }

  return {
    finder,
    check: (packets: Buffer) => continuity.push(packets),
    errors: () => continuity.errors(),
    /** True when a key frame begins in this packet. */
    look(packets: Buffer, at: number): boolean {
      finder.push(packets, at)
      const pid = pidOf(packets, at)
      if ((pid === 0 || pid === finder.pmtPid()) && startsUnit(packets, at))
        tables.set(pid, Buffer.from(packets.subarray(at, at + packetBytes)))
      return lookAtUnit(packets, at)
    },
    tables: () => Buffer.concat([...tables.entries()].sort(([a], [b]) => a - b).map(([, packet]) => packet)),
    keep(packets: Buffer, startsAtKey: boolean): void {
      if (startsAtKey) {
        group = []
        groupBytes = 0
        isGroupWhole = true
      }
      groupBytes += packets.length
      if (groupBytes > MOST_CACHED_BYTES) {
        isGroupWhole = false
        group = []
      }
      if (isGroupWhole) group.push(packets)
    },
    cached: (): readonly Buffer[] => (isGroupWhole ? group : []),
    picture(): Picture | undefined {
      const codec = finder.video()?.codec
      return parameters && codec ? { ...parameters, codec, fps: rate.fps(), isReordered } : undefined
    },
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
      const distances = stamps.map((stamp) => stampDistance(first, stamp))
      const span = Math.max(...distances) - Math.min(...distances)
      return span > 0 ? Math.round(((stamps.length - 1) * 9_000_000) / span) / 100 : 0
    },
  }
}
