// The form in which ffmpeg reads the messages of a sender: FLV as they come, or Matroska for HEVC.
import { messageTypes, type RtmpMessage } from './chunks.ts'
import { enhancedCodec, flvHeader, flvTag } from './flv.ts'
import { matroskaBlock, matroskaHeader, SOUND_TRACK, VIDEO_TRACK } from './matroska.ts'

// 1. waiting: only sound has come, and its messages are held;
// 2. flv: a codec of the first FLV, or sound alone, until a description of HEVC;
// 3. described: HEVC, whose sound may still come; pictures and sound are held;
// 4. matroska: until a description of another picture or of other sound, which begins a new stream.

export type Format = 'flv' | 'matroska'

export interface FormattedBytes {
  readonly format: Format
  readonly bytes: Buffer
  /** The bytes begin a stream: ffmpeg must be started for them. */
  readonly isNew: boolean
}

export interface SenderFormat {
  /** Undefined for a message that is held, or has nothing to decode. */
  push(message: RtmpMessage): FormattedBytes | undefined
}

export const HEVC = 'hvc1'
/** A sender of HEVC without sound is read after this time; one of sound alone, as FLV. */
const SOUND_WITHIN_MS = 500
/** At most this many packets are held, regardless of their timestamps. */
const MOST_HELD = 200

/** Kinds of packets of a picture in enhanced RTMP. */
const packets = { sequenceStart: 0, codedFrames: 1, codedFramesX: 3 } as const
const AAC = 10
const KEY_FRAME = 1

const isHevc = (message: RtmpMessage): boolean => enhancedCodec(message) === HEVC
const packetOf = ({ payload }: RtmpMessage): number => (payload[0] ?? 0) & 15
const isAac = ({ type, payload }: RtmpMessage): boolean =>
  type === messageTypes.audio && payload.length > 2 && payload[0]! >> 4 === AAC
const isAacDescription = (message: RtmpMessage): boolean => isAac(message) && message.payload[1] === 0
const isDescription = (message: RtmpMessage): boolean =>
  isAacDescription(message) || (isHevc(message) && packetOf(message) === packets.sequenceStart)

export function createSenderFormat(): SenderFormat {
  let state: 'waiting' | 'flv' | 'described' | 'matroska' = 'waiting'
  let held: RtmpMessage[] = []
  let hevc: Buffer | undefined
  let aac: Buffer | undefined

  /** Messages are held long enough. */
  function isOverdue(): boolean {
    const spanMs = (held.at(-1)?.timestampMs ?? 0) - (held[0]?.timestampMs ?? 0)
    return held.length >= MOST_HELD || spanMs >= SOUND_WITHIN_MS
  }

  function begin(format: Format): FormattedBytes {
    state = format
    const first = held
    held = []
    const head = format === 'flv' || !hevc ? flvHeader : matroskaHeader({ hevc, aac })
    const rest = first.map(format === 'flv' ? flvTag : block)
    return { format, bytes: Buffer.concat([head].concat(rest)), isNew: true }
  }

  /** Whether the description differs from the one before. */
  function describe(message: RtmpMessage): boolean {
    const before = isHevc(message) ? hevc : aac
    const description = Buffer.from(message.payload.subarray(isHevc(message) ? 5 : 2))
    if (isHevc(message)) hevc = description
    else aac = description
    return !before?.equals(description)
  }

  function pushFlv(message: RtmpMessage): FormattedBytes | undefined {
    if (isAacDescription(message)) describe(message)
    if (state === 'flv') return { format: 'flv', bytes: flvTag(message), isNew: false }
    held.push(message)
    return message.type === messageTypes.video || isOverdue() ? begin('flv') : undefined
  }

  function pushHevc(message: RtmpMessage): FormattedBytes | undefined {
    if (isDescription(message)) {
      if (describe(message)) state = 'described'
      return undefined
    }
    if (state === 'described') {
      held.push(message)
      return aac || isOverdue() ? begin('matroska') : undefined
    }
    const bytes = block(message)
    return bytes.length === 0 ? undefined : { format: 'matroska', bytes, isNew: false }
  }

  return {
    push(message) {
      if (state === 'described' || state === 'matroska') return pushHevc(message)
      if (!isHevc(message)) return pushFlv(message)
      // A picture that is not described cannot be decoded.
      return isDescription(message) ? pushHevc(message) : undefined
    },
  }
}

/** Empty for what is neither a picture nor sound. */
function block(message: RtmpMessage): Buffer {
  const { timestampMs, payload } = message
  if (isAac(message) && !isAacDescription(message))
    return matroskaBlock({
      track: SOUND_TRACK,
      timestampMs,
      offsetMs: 0,
      isKey: true,
      payload: payload.subarray(2),
    })
  const packet = packetOf(message)
  if (!isHevc(message) || (packet !== packets.codedFrames && packet !== packets.codedFramesX))
    return Buffer.alloc(0)
  const isWithOffset = packet === packets.codedFrames && payload.length >= 8
  return matroskaBlock({
    track: VIDEO_TRACK,
    timestampMs,
    offsetMs: isWithOffset ? payload.readIntBE(5, 3) : 0,
    isKey: ((payload[0]! >> 4) & 7) === KEY_FRAME,
    payload: payload.subarray(isWithOffset ? 8 : 5),
  })
}
