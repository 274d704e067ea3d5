// Setting a channel: the request is repeated until the unit's configuration shows it (ST-CHSEL-02).
import { SET_CHANNEL_RETRIES, SET_CHANNEL_RETRY_MS } from '@backhaul/contract/nouns/commands'

/**
 * 1. waiting: nothing is known of the newest request yet;
 * 2. arrived: a new configuration shows the channel (ends);
 * 3. refused: the unit or a rule refused it, and a repetition would not change that (ends).
 */
export type ChannelOutcome = 'waiting' | 'arrived' | 'refused'

interface RetryEdges {
  /** Sends the request; rejects when core refuses it. */
  send: () => Promise<unknown>
  outcome: () => ChannelOutcome
  /** A newer request for the same unit exists. */
  superseded: () => boolean
  wait: (ms: number) => Promise<void>
}

/** Sends once and repeats up to 7 times at the interval. Resolves with how it ended. */
export async function retryUntilApplied(
  edges: RetryEdges,
  intervalMs: number = SET_CHANNEL_RETRY_MS,
): Promise<ChannelOutcome | 'superseded'> {
  await edges.send()
  for (let repeat = 0; ; repeat += 1) {
    await edges.wait(intervalMs)
    if (edges.superseded()) return 'superseded'
    const outcome = edges.outcome()
    if (outcome !== 'waiting' || repeat === SET_CHANNEL_RETRIES) return outcome
    await edges.send()
  }
}
