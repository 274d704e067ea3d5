/** Feeds: the channels of a transceiver, which take a picture from elsewhere and send it on (GAP-SRV-04). */
import { z } from 'zod'
import { type Channel, channelIsIn } from './channels.ts'

export const feedStates = [
  'offline',
  'stopped',
  'unset',
  'running',
  'failed',
  'connecting',
  'waiting',
] as const
export type FeedState = (typeof feedStates)[number]

/**
 * 1. offline: its server is away, or does not offer it;
 * 2. stopped: by an operator;
 * 3. unset: neither a channel nor a source is set, and no unit sends to it;
 * 4. running: a picture comes in;
 * 5. failed: none of its sources gives a picture;
 * 6. connecting: the channel or a unit sends, and its picture has not come;
 * 7. waiting: its channel receives nothing, or its sources are tried for the first time.
 */
export function feedState(
  feed: Pick<
    Channel,
    'status' | 'feedFrom' | 'feedStopped' | 'inputSources' | 'inputProblem' | 'allocatedToUnitUid'
  >,
): FeedState {
  if (channelIsIn(feed.status, 'offline')) return 'offline'
  if (feed.feedStopped) return 'stopped'
  if (channelIsIn(feed.status, 'collecting')) return 'running'
  if (feed.allocatedToUnitUid !== null) return 'connecting'
  if (feed.feedFrom === null && feed.inputSources.length === 0) return 'unset'
  return feed.inputProblem === null ? 'waiting' : 'failed'
}

/** The total rate that a feed sends to its destinations; null where it sends to none whose rate is known. */
export function uplinkKbps({ outputs }: Pick<Channel, 'outputs'>): number | null {
  const known = outputs.flatMap(({ kbps }) => kbps ?? [])
  return known.length === 0 ? null : known.reduce((sum, kbps) => sum + kbps, 0)
}

/** One point of the graph of a feed, over one interval. */
export const FeedPoint = z.object({
  ts: z.number().describe('End of the interval, milliseconds since 1970'),
  downlinkKbps: z.number().int().describe('Received'),
  uplinkKbps: z.number().int().describe('Sent on, to all destinations'),
})
export type FeedPoint = z.infer<typeof FeedPoint>
