// Turns of 20 ms by the steady clock: timers that come late are made up for, and after a long pause the turns begin again.
import { FRAME_MS } from './frames.ts'

const CHECK_MS = 5
/** More turns than these are not made up for: what they would have played is over. */
const MOST_AT_ONCE = 5

/** Returns the function that ends the turns. */
export function everyFrame(run: () => void): () => void {
  let nextMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs - nextMs > MOST_AT_ONCE * FRAME_MS) nextMs = nowMs
    for (; nextMs <= nowMs; nextMs += FRAME_MS) run()
  }, CHECK_MS)
  return () => clearInterval(timer)
}
