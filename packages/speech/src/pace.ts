// Turns of 20 ms by the steady clock: timers that come late are made up for, and after a long pause the turns begin again.
import { FRAME_MS } from './frames.ts'

/** More turns than these are not made up for: what they would have played is over. */
const MOST_AT_ONCE = 5

/** Returns the function that ends the turns. */
export function everyFrame(run: () => void): () => void {
  let nextMs = performance.now()
  let timer = setTimeout(turn, 0)

  function turn(): void {
    const nowMs = performance.now()
    if (nowMs - nextMs > MOST_AT_ONCE * FRAME_MS) nextMs = nowMs
    // No frame is due when the timer came a moment too early.
    const due = Math.floor((nowMs - nextMs) / FRAME_MS) + 1
    nextMs += due * FRAME_MS
    timer = setTimeout(turn, Math.ceil(nextMs - nowMs))
    for (let left = due; left > 0; left--) run()
  }

  return () => clearTimeout(timer)
}
