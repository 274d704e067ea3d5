// Answers to the calls that every start makes, sent by early-calls.ts while the scripts of the page are on their way.

export interface EarlyAnswer {
  readonly status: number
  readonly text: string
  readonly atMs: number
}

type EarlyAnswers = Map<string, Promise<EarlyAnswer> | null>

declare global {
  /** Shared by two scripts, of which either may run first. */
  var backhaulEarlyAnswers: EarlyAnswers | undefined
}

/** The answers by address; null where the page took one, or made the call itself. */
export const earlyAnswers: EarlyAnswers = globalThis.backhaulEarlyAnswers ?? new Map()
globalThis.backhaulEarlyAnswers = earlyAnswers

/** An answer is as good as a new one for this long; a page sends no early calls after its first ones. */
const freshMs = 10_000

/** Each serves one call. An answer that failed, or was not taken in time, is ignored. */
export function takeEarlyAnswer(url: string): Promise<EarlyAnswer | undefined> | undefined {
  const early = earlyAnswers.get(url)
  if (early || performance.now() < freshMs) earlyAnswers.set(url, null)
  return early?.then(
    (answer) => (performance.now() - answer.atMs < freshMs ? answer : undefined),
    () => undefined,
  )
}
