// The microphone of the crew on one line: open, or muted and open while a talk button is held.
import type { Clock } from '@backhaul/runtime/clock'

/** A press that is not renewed for this long is over: its browser may be gone. */
export const pressLastsMs = 2500
/** Buttons of one line that are held at a time. */
const mostHeld = 16
/** Presses that are over and remembered; the oldest is forgotten. */
const mostReleased = 256

export interface MicrophoneSwitch {
  isMuted(): boolean
  /** Speech is sent now. */
  isOpen(): boolean
  setMuted(isMuted: boolean): void
  /** Begins a press or renews it; false when too many are held. One that was released does not begin again. */
  hold(press: string): boolean
  release(press: string): void
}

/**
 * 1. open: at first, and when it is not muted any more;
 * 2. muted: to 3 with the first press;
 * 3. muted and held: to 2 when every press was released or not renewed for 2.5 s.
 * Requests of a browser may overtake each other: a press that was released is not begun by a renewal that comes late.
 */
export function createMicrophoneSwitch(clock: Clock): MicrophoneSwitch {
  let muted = false
  /** The end of each press unless it is renewed. */
  const held = new Map<string, number>()
  const released = new Set<string>()

  function isHeld(): boolean {
    const nowMs = clock.monotonicMs()
    for (const [press, endsMs] of held) if (endsMs <= nowMs) held.delete(press)
    return held.size > 0
  }

  return {
    isMuted: () => muted,
    isOpen: () => !muted || isHeld(),
    setMuted(isMuted) {
      muted = isMuted
    },
    hold(press) {
      if (released.has(press)) return true
      if (isHeld() && !held.has(press) && held.size >= mostHeld) return false
      held.set(press, clock.monotonicMs() + pressLastsMs)
      return true
    },
    release(press) {
      held.delete(press)
      released.add(press)
      const [oldest] = released
      if (released.size > mostReleased && oldest !== undefined) released.delete(oldest)
    },
  }
}
