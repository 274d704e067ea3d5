/** When to try again after the push connection closed (PU-CONN-05, GAP-PUSH-03). */

/** First tries come quickly, spread so that a restarted core does not meet all consoles at once. */
const quickMs = [
  [100, 500],
  [400, 1000],
  [800, 1900],
] as const

const reconnectMs = 10_000
const reconnectAttempts = 30

/** The close reason of giving up, as the specification names it (PU-CONN-07). */
export const gaveUpReason = 'maxReconnectOnClose reached'

/**
 * ms until try number `attempt` (from 1), or undefined when all tries are used up.
 * @param random 0 to 1
 */
export function reconnectDelayMs(attempt: number, random: number): number | undefined {
  const quick = quickMs[attempt - 1]
  if (quick) return Math.round(quick[0] + random * (quick[1] - quick[0]))
  return attempt <= quickMs.length + reconnectAttempts ? reconnectMs : undefined
}
