// Puts frames of sound in order before they are played, with as little delay as the network allows.
import { FRAME_MS } from './frames.ts'

/** The length of sound that is collected before the first is played. */
const USUAL_DELAY_MS = 60
/** With more than these in addition, old ones are dropped: speech that is late is worse than speech with a gap. */
const MORE_FRAMES = 5
/** Missing frames in a row that are concealed; then it is silence. */
const CONCEALED = 3
/** A number that is further away belongs to another count. */
const FARTHEST = 500
/** While more than needed was waiting all this time, one frame is dropped. */
const DRAIN_EVERY = 50

export const MOST_DELAY_MS = USUAL_DELAY_MS + MORE_FRAMES * FRAME_MS

export type Played = { kind: 'sound'; payload: Uint8Array } | { kind: 'lost' } | { kind: 'silent' }

export interface SpeechBuffer {
  /** A frame by its number, in any order. */
  put(frame: number, payload: Uint8Array): void
  /** Called once every 20 ms. */
  take(): Played
  /** Frames that came too late, or were dropped to shorten the delay. */
  dropped(): number
  /** The delay of the next frame, in frames. */
  depth(): number
}

/**
 * 1. silent: nothing is played; when the delay is collected, or the first frame has waited for it, to 2;
 * 2. playing: one frame a turn. A missing one is concealed, up to 3 in a row; when nothing waits after these, to 1, so
 *    that a way that has become slower gets a longer delay.
 * The delay is limited: with 100 ms more than wanted old frames are dropped, and what waits longer than needed for 1 s is
 * shortened.
 */
export function createSpeechBuffer(delayMs = USUAL_DELAY_MS): SpeechBuffer {
  const target = Math.max(1, Math.round(delayMs / FRAME_MS))
  const most = target + MORE_FRAMES
  const waiting = new Map<number, Uint8Array>()
  let isPlaying = false
  let next = 0
  let newest = 0
  let turns = 0
  let missing = 0
  let dropped = 0
  let leastDepth = Number.POSITIVE_INFINITY
  let sinceDrain = 0

  const oldest = () => Math.min(...waiting.keys())
  const depth = () => (waiting.size === 0 ? 0 : newest - (isPlaying ? next : oldest()) + 1)

  function reset(): void {
    waiting.clear()
    isPlaying = false
    turns = 0
    missing = 0
  }

  /** The next frame is this one; older ones are dropped. */
  function skipTo(frame: number): void {
    for (const number of waiting.keys()) {
      if (number >= frame) continue
      waiting.delete(number)
      dropped++
    }
    next = frame
  }

  function begin(): boolean {
    if (waiting.size === 0) return false
    turns++
    if (depth() < target && turns < target) return false
    isPlaying = true
    turns = 0
    missing = 0
    leastDepth = Number.POSITIVE_INFINITY
    sinceDrain = 0
    next = oldest()
    return true
  }

  function shorten(): void {
    if (depth() > most) skipTo(newest - target + 1)
    leastDepth = Math.min(leastDepth, depth())
    if (++sinceDrain < DRAIN_EVERY) return
    if (leastDepth > target) skipTo(next + 1)
    leastDepth = Number.POSITIVE_INFINITY
    sinceDrain = 0
  }

  function absent(): Played {
    missing++
    if (missing <= CONCEALED) return { kind: 'lost' }
    if (waiting.size === 0) reset()
    return { kind: 'silent' }
  }

  return {
    put(frame, payload) {
      const isFirst = waiting.size === 0 && !isPlaying
      if (!isFirst && Math.abs(frame - newest) > FARTHEST) reset()
      if (isPlaying && frame < next) {
        dropped++
        return
      }
      newest = waiting.size === 0 && !isPlaying ? frame : Math.max(newest, frame)
      waiting.set(frame, payload)
    },
    take() {
      if (!isPlaying && !begin()) return { kind: 'silent' }
      shorten()
      const payload = waiting.get(next)
      waiting.delete(next)
      next++
      if (!payload) return absent()
      missing = 0
      return { kind: 'sound', payload }
    },
    dropped: () => dropped,
    depth,
  }
}
