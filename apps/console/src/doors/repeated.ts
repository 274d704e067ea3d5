/** By default five more times, one every 1000 ms (PU-TIME-10, CO-ADMIN-29, CO-ADMIN-30). */
const defaults = { times: 5, everyMs: 1000 }

/** Tries again for as long as the failure is worth it; rejects with the last one. */
export async function repeated<T>(
  run: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean,
  { times, everyMs } = defaults,
): Promise<T> {
  for (let repetition = 0; ; repetition++) {
    try {
      return await run()
    } catch (error) {
      if (repetition === times || !isWorthIt(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
}
