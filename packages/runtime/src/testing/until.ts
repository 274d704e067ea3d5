/** Waits in tests for what real programs and sockets need a while for. */

/** The first answer that is not undefined, false, zero or null; fails with the question. */
export async function until<T>(ask: () => T | Promise<T>, withinMs = 30_000): Promise<NonNullable<T>> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > endMs) throw new Error(`not within ${withinMs} ms: ${ask}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
