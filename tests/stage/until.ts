/** Waits for real processes. */

/** The first value that is not undefined, false or null; fails with the description. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  withinMs = 60_000,
): Promise<NonNullable<T>> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const answer = await read()
    if (answer) return answer
    if (Date.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
