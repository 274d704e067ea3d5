/** Waits in tests for real programs and sockets. */

/** The factor by which a test may wait longer than usual, which a run on a slow machine sets. */
const patience = Number(process.env.TEST_PATIENCE ?? 1)

/** A limit of time, in milliseconds, on the machine of this run. */
export const patientMs = (usualMs: number) => usualMs * patience

/** The longer it waits, the less often it looks: each look may read the figures of a whole hub. */
const pauseAfter = (waitedMs: number) => Math.min(100, 20 + waitedMs / 20)

/** The first value that is not undefined, false, zero or null; fails with the source of `read`. */
export async function until<T>(
  read: () => T | Promise<T>,
  withinMs = patientMs(60_000),
): Promise<NonNullable<T>> {
  const startMs = performance.now()
  for (;;) {
    const answer = await read()
    if (answer) return answer
    const waitedMs = performance.now() - startMs
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${read}`)
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(waitedMs)))
  }
}
