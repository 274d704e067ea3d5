// What of a server fails now, by its own report: each a matter of its own with the reason that the server gives.
import type { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import type { Alert } from '@backhaul/contract/nouns/alerts'
import { isOutputOf, type OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { Channels } from '../channels/channels.ts'

export type ServerFailure = Pick<Alert, 'type' | 'reason' | 'cause'> & {
  about: NonNullable<Alert['about']>
  channelId: string
}

/** Of channels that core knows. */
export const serverFailures = (
  telemetry: readonly ChannelTelemetry[],
  channels: Pick<Channels, 'known' | 'cdnStreams'>,
): ServerFailure[] =>
  telemetry.flatMap(({ channelId, outputs }) => {
    const failed = outputs.filter(({ state }) => state === 'failed')
    const channel = failed.length > 0 ? channels.known(channelId)?.name : undefined
    if (channel === undefined) return []
    const destinations = channels.cdnStreams(channelId) ?? []
    return failed.map((output): ServerFailure => {
      const name = destinations.find(({ id }) => isOutputOf(id, output.id))?.name
      const about = { id: `${channelId} ${output.id}`, name: [channel, name].filter(Boolean).join(', ') }
      return { type: 'destinationFailed', about, channelId, ...reasonOf(output) }
    })
  })

const reasonOf = ({ reason, cause }: OutputStatus) => ({
  ...(reason !== null && { reason }),
  ...(cause && { cause }),
})
