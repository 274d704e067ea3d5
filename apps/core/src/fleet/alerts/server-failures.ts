// Active failures of a server by its own report, each with its reason.
import type { ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, ServerFailure } from '@backhaul/contract/gateway/servers'
import type { Alert } from '@backhaul/contract/nouns/alerts'
import { isOutputOf, type OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { Channels } from '../channels/channels.ts'

export type Failed = Pick<Alert, 'type' | 'reason' | 'cause' | 'about'> & {
  /** Undefined for what concerns the whole server. */
  channelId?: string | undefined
}

/** The failures of the server and of those of its channels that core knows. */
export const failuresOf = (
  { channels: telemetry, failures = [] }: Pick<ServerTelemetry, 'channels' | 'failures'>,
  channels: Pick<Channels, 'known' | 'cdnStreams'>,
): Failed[] => [
  ...failures.map((one) => failedAs(one, one.name, one.name)),
  ...telemetry.flatMap((channel) => failuresOfChannel(channel, channels)),
]

function failuresOfChannel(
  { channelId, outputs, failures = [] }: ChannelTelemetry,
  channels: Pick<Channels, 'known' | 'cdnStreams'>,
): Failed[] {
  const failed = outputs.filter(({ state }) => state === 'failed')
  if (failed.length === 0 && failures.length === 0) return []
  const channel = channels.known(channelId)?.name
  if (channel === undefined) return []
  const destinations = channels.cdnStreams(channelId) ?? []
  return [
    ...failures.map((one) => ({ ...failedAs(one, channelId, channel), channelId })),
    ...failed.map((output) => {
      const name = destinations.find(({ id }) => isOutputOf(id, output.id))?.name
      const shown = [channel, name].filter(Boolean).join(', ')
      const why = { type: 'destinationFailed' as const, ...output }
      return { ...failedAs(why, `${channelId} ${output.id}`, shown), channelId }
    }),
  ]
}

const failedAs = (
  { type, reason, cause }: Pick<ServerFailure, 'cause'> & Pick<OutputStatus, 'reason'> & Pick<Alert, 'type'>,
  id?: string,
  name?: string,
): Failed => ({
  type,
  ...(id !== undefined && name !== undefined && { about: { id, name } }),
  ...(reason !== null && { reason }),
  ...(cause && { cause }),
})
