/** Waits in tests for real programs and sockets. */

/** The first value that is not undefined, false, zero or null; fails with the source of `read`. */
export async function until<T>(read: () => T | Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const answer = await read()
    if (answer) return answer
    if (Date.now() > endMs) throw new Error(`not within ${withinMs} ms: ${read}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
