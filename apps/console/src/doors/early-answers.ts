// Answers to the calls that every start makes, sent by early-calls.ts while the scripts of the page are on their way.

export interface EarlyAnswer {
  readonly status: number
  readonly text: string
  readonly atMs: number
}

declare global {
  /** The answers by address. Absent where no user is signed in, and in development. */
  var earlyAnswers: Map<string, Promise<EarlyAnswer>> | undefined
}

/** An answer is as good as a new one for this long. */
const freshMs = 10_000

/** Each serves one call. An answer that failed, or was not taken in time, is ignored. */
export function takeEarlyAnswer(url: string): Promise<EarlyAnswer | undefined> | undefined {
  const early = globalThis.earlyAnswers?.get(url)
  globalThis.earlyAnswers?.delete(url)
  return early?.then(
    (answer) => (performance.now() - answer.atMs < freshMs ? answer : undefined),
    () => undefined,
  )
}
