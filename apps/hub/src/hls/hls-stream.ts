// The newest seconds of one live stream as segments and parts of HLS, in memory. The clock is passed in.
import type { Fragment } from './fragments.ts'
import type { Mp4Tracks } from './mp4-boxes.ts'

/** No part is longer, unless a single picture is, and only the last of a segment is shorter than 85 % of it. */
export const PART_TARGET_S = 0.42
const PART_LEAST_S = 0.85 * PART_TARGET_S
/** A segment ends with the first key frame after this time. */
const SEGMENT_S = 2
/** Key frames come at a fixed number of frames, whose durations are rounded. */
const EARLY_S = 0.1
/** A segment without a key frame ends after this time, in the middle of a group of pictures. */
const LONGEST_S = 10
/** Durations are compared with the target after they were rounded to whole seconds. */
const ROUNDS_UP_S = 0.49
/** The list of a player covers this many target durations at least; RFC 8216bis requires three. */
const TARGETS_LISTED = 4
const SEGMENTS_LISTED = 4
/** Regardless of the rate of the stream: a list that would need more becomes shorter. */
const MOST_BYTES = 128 << 20
const MOST_SEGMENT_BYTES = MOST_BYTES / 4
const MOST_WAITING = 1000

export interface Part {
  /** Counts through all segments, so that the name of the next one is known before its segment is. */
  readonly number: number
  readonly bytes: Buffer[]
  seconds: number
  readonly isIndependent: boolean
}

export interface Segment {
  readonly number: number
  readonly parts: Part[]
  /** The length of its parts. */
  seconds: number
  readonly isIndependent: boolean
  /** Number of the header that its fragments need. */
  readonly header: number
  readonly isDiscontinuous: boolean
  readonly startMs: number
}

/** The present contents of a playlist. */
export interface ListedStream {
  readonly targetS: number
  readonly isLowLatency: boolean
  readonly discontinuitySequence: number
  /** Complete ones, oldest first. */
  readonly segments: readonly Segment[]
  /** The segment that still grows. */
  readonly open: Segment | undefined
  readonly nextPart: number
}

export interface HlsStream {
  /** Another source begins: its fragments belong to this header. */
  begin(header: Buffer, tracks: Mp4Tracks): void
  push(fragment: Fragment): void
  /** The source has ended. */
  end(): void
  setLowLatency(isLowLatency: boolean): void
  /** Undefined before the first segment is complete. */
  listed(): ListedStream | undefined
  tracks(): Mp4Tracks
  /** The rate of the fastest segment, bits a second. */
  peakBitRate(): number
  /** Whether the list contains this part, or the whole segment where none is given. */
  has(segment: number, part?: number): boolean
  /** `soon` for the part that comes next; undefined for what was never made or is not kept any more. */
  file(name: string): readonly Buffer[] | 'soon' | undefined
  /** Resolves when `isTrue` is, at the latest after `limitMs`, with the result. */
  when(isTrue: () => boolean, limitMs: number): Promise<boolean>
  bytes(): number
  /** All who wait are answered; nothing is kept. */
  close(): void
}

/**
 * Segments and discontinuities are numbered from `firstNumber` on. The second in which the stream was made, for
 * instance, keeps the numbers rising when a stream is made again for the same players: a segment is longer than a second.
 */
export function createHlsStream(options: { firstNumber: number; nowMs: () => number }): HlsStream {
  const { firstNumber, nowMs } = options
  const headers = new Map<number, Buffer>()
  const waiting = new Set<() => void>()
  let segments: Segment[] = []
  let open: Segment | undefined
  let openBytes = 0
  let part: Part | undefined
  let tracks: Mp4Tracks = []
  let header = 0
  let isDiscontinuous = false
  let isLowLatency = false
  let isClosed = false
  let nextSegment = firstNumber
  let nextPart = 0
  let targetS: number | undefined
  let forgottenDiscontinuities = 0
  let followsMs: number | undefined

  function changed(): void {
    for (const look of [...waiting]) look()
  }

  function endPart(): void {
    if (part) open?.parts.push(part)
    part = undefined
  }

  function endSegment(): void {
    endPart()
    if (!open) return
    targetS ??= Math.max(SEGMENT_S, Math.round(open.seconds))
    followsMs = open.startMs + open.seconds * 1000
    segments.push(open)
    open = undefined
    openBytes = 0
    forget()
  }

  /** A segment that is not listed any more is kept for as long as a list that contains it may be in use. */
  function forget(): void {
    const listedCount = segments.length - firstListed()
    const surplus = Math.max(0, firstListed() - (listedCount + 1))
    for (const gone of segments.splice(0, surplus)) noteForgotten(gone)
    while (segments.length > 1 && bytesOf(segments) > MOST_BYTES) noteForgotten(segments.shift()!)
    const used = new Set([header, ...segments.map((segment) => segment.header)])
    for (const number of headers.keys()) if (!used.has(number)) headers.delete(number)
  }

  function noteForgotten(segment: Segment): void {
    if (segment.isDiscontinuous) forgottenDiscontinuities++
  }

  /** Index of the first listed segment. It never goes back to an earlier segment, since segments are only added. */
  function firstListed(): number {
    let seconds = 0
    for (let at = segments.length - 1; at >= 0; at--) {
      seconds += segments[at]!.seconds
      const count = segments.length - at
      if (seconds >= TARGETS_LISTED * (targetS ?? SEGMENT_S) && count >= SEGMENTS_LISTED) return at
    }
    return 0
  }

  function endsSegment({ isKey, seconds }: Fragment): boolean {
    if (!open || open.seconds === 0) return false
    if (isKey && (open.seconds >= SEGMENT_S - EARLY_S || !open.isIndependent)) return true
    if (openBytes > MOST_SEGMENT_BYTES) return true
    return open.seconds + seconds > (targetS ?? LONGEST_S) + ROUNDS_UP_S
  }

  function startSegment({ isKey, seconds }: Fragment): Segment {
    const started: Segment = {
      number: nextSegment++,
      parts: [],
      seconds: 0,
      isIndependent: isKey,
      header,
      isDiscontinuous,
      startMs: followsMs ?? nowMs() - seconds * 1000,
    }
    isDiscontinuous = false
    return started
  }

  const find = (number: number) => segments.find((segment) => segment.number === number)

  return {
    begin(bytes, next) {
      endSegment()
      // The announced part does not come: it would have needed the header before.
      if (headers.size > 0) nextPart++
      isDiscontinuous = headers.size > 0
      followsMs = undefined
      header++
      headers.set(header, bytes)
      tracks = next
      changed()
    },
    push(fragment) {
      if (headers.size === 0 || isClosed) return
      if (endsSegment(fragment)) endSegment()
      // Nothing can be decoded before the first key frame of a source.
      if (!open && followsMs === undefined && !fragment.isKey) return
      open ??= startSegment(fragment)
      if (part && part.seconds + fragment.seconds > PART_TARGET_S) endPart()
      part ??= { number: nextPart++, bytes: [], seconds: 0, isIndependent: fragment.isKey }
      part.bytes.push(fragment.bytes)
      part.seconds += fragment.seconds
      open.seconds += fragment.seconds
      openBytes += fragment.bytes.length
      if (part.seconds >= PART_LEAST_S) endPart()
      changed()
    },
    end() {
      endSegment()
      changed()
    },
    setLowLatency(next) {
      isLowLatency = next
    },
    listed() {
      if (targetS === undefined) return undefined
      const from = firstListed()
      const before = segments.slice(0, from).filter((segment) => segment.isDiscontinuous).length
      return {
        targetS,
        isLowLatency,
        discontinuitySequence: firstNumber + forgottenDiscontinuities + before,
        segments: segments.slice(from),
        open,
        // The part that grows is announced, and so is the one that has not begun.
        nextPart: part?.number ?? nextPart,
      }
    },
    tracks: () => tracks,
    peakBitRate: () =>
      Math.max(0, ...segments.map((segment) => Math.ceil((8 * bytesOf([segment])) / segment.seconds))),
    has(number, at) {
      if (find(number)) return true
      if (number < nextSegment && number !== open?.number) return true
      return at !== undefined && number === open?.number && at < open.parts.length
    },
    file(name) {
      const [, kind, digits] = /^(init-|s|p)(\d{1,15})\.(?:mp4|m4s)$/.exec(name) ?? []
      const number = Number(digits)
      if (isClosed || kind === undefined) return undefined
      if (kind === 'init-') {
        const found = headers.get(number)
        return found && [found]
      }
      if (kind === 's') return find(number)?.parts.flatMap(({ bytes }) => bytes)
      const parts = [...segments, ...(open ? [open] : [])].flatMap((segment) => segment.parts)
      const made = parts.find((one) => one.number === number)?.bytes
      return made ?? (number === (part?.number ?? nextPart) ? 'soon' : undefined)
    },
    async when(isTrue, limitMs) {
      if (isTrue() || isClosed) return isTrue()
      if (waiting.size >= MOST_WAITING) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const finish = (result: boolean) => {
        waiting.delete(look)
        clearTimeout(timer)
        resolve(result)
      }
      const look = () => {
        if (isTrue()) finish(true)
        else if (isClosed) finish(false)
      }
      const timer = setTimeout(() => finish(false), limitMs)
      waiting.add(look)
      return await promise
    },
    bytes: () => bytesOf(segments) + openBytes,
    close() {
      isClosed = true
      segments = []
      open = undefined
      openBytes = 0
      part = undefined
      headers.clear()
      changed()
    },
  }
}

const bytesOf = (segments: readonly Segment[]): number =>
  segments.reduce(
    (sum, { parts }) =>
      sum + parts.reduce((all, { bytes }) => all + bytes.reduce((n, one) => n + one.length, 0), 0),
    0,
  )
