// Feeds: the channels of transceivers, and which other channel's picture each of them takes.
import { Conflict } from '@backhaul/contract/define/errors'
import type { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import { serverTypeOf } from '@backhaul/contract/nouns/servers'
import type { LiveChannel } from './channel-fields.ts'
import type { ChannelFacts, ChannelSettings } from './channel-table.ts'

/** Throws Conflict for what takes nothing from another channel, or from that one. */
export function requireFeed(
  feed: Readonly<LiveChannel>,
  { feedFrom, feedStopped }: Pick<ChannelChange, 'feedFrom' | 'feedStopped'>,
  administered: (id: string) => Readonly<LiveChannel>,
): void {
  const isOfTransceiver = serverTypeOf(feed.serverProductType) === 'transceiver_server'
  const isEncoderInput = encoderInputs.some((one) => one === feed.inputType)
  if (feedStopped === true && !isOfTransceiver && !isEncoderInput)
    throw Conflict.at('feedStopped', 'feed.nothingTaken')
  if (feedFrom === undefined || feedFrom === null) return
  if (!isOfTransceiver) throw Conflict.at('feedFrom', 'feed.transceiversOnly')
  if (feed.inputType !== null) throw Conflict.at('feedFrom', 'feed.inputChannel')
  const { inputType, kind, ...source } = administered(feedFrom)
  const isOwn = source.uniqueId === feed.uniqueId
  if (isOwn || inputType !== null || kind === 'GROUP_CHANNEL' || source.feedFrom !== null)
    throw Conflict.at('feedFrom', 'feed.notTaken')
}

/** Whether the channel is stopped and takes no feed; then none is sent to its server either. */
export const takesNothing = ({ feedStopped }: Pick<ChannelSettings, 'feedStopped'>): boolean =>
  feedStopped === true

/** The feeds, by the channel whose picture they take. */
export function createFeeds() {
  const feeds = new Map<string, { from: string; isStopped: boolean }>()
  const named = (channelId: string) => [...feeds].filter(([, { from }]) => from === channelId)
  return {
    note({ id, settings }: ChannelFacts): void {
      if (settings.feedFrom) feeds.set(id, { from: settings.feedFrom, isStopped: takesNothing(settings) })
      else feeds.delete(id)
    },
    forget: (id: string): void => void feeds.delete(id),
    /** The feeds of a channel, also those that are stopped. */
    of: (channelId: string): string[] => named(channelId).map(([id]) => id),
    fedBy: (channelId: string): string[] =>
      named(channelId)
        .filter(([, { isStopped }]) => !isStopped)
        .map(([id]) => id),
  }
}
