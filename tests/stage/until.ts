/** Waits for real processes. */
import { patientMs } from '@backhaul/runtime/testing/until'

/** The longer it waits, the less often it looks: each look may be a call that keeps core and test busy. */
const pauseAfter = (waitedMs: number) => Math.min(300, 50 + waitedMs / 20)

/** The first value that is not undefined, false or null; fails with the description. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  withinMs = patientMs(60_000),
): Promise<NonNullable<T>> {
  const startMs = performance.now()
  for (;;) {
    const answer = await read()
    if (answer) return answer
    const waitedMs = performance.now() - startMs
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await pause(pauseAfter(waitedMs))
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
