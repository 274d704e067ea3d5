// The stream of a channel's transmission to a stream provider; it ends with the transmission.
import type { Output } from '@backhaul/contract/gateway/servers'
import type { DatabaseTransaction } from '../../database/schema.ts'
import { outputsToCdn } from './cdn-streams.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { type ChannelSettings, holdChannel, type SocialStream, saveSettings } from './channel-table.ts'

export interface ChannelSocialStreams {
  /** The stream of the present transmission that is forwarded, and its unit. */
  socialStream(id: string): (SocialStream & { unitId: string }) | undefined
  /** Undefined for a channel that this unit does not hold. */
  setSocialStream(
    transaction: DatabaseTransaction,
    id: string,
    unitId: string,
    stream: SocialStream | null,
  ): Promise<ChannelChange | undefined>
}

export function createSocialStreams({
  factsOf,
  changeOf,
}: Pick<ChannelChanges, 'factsOf' | 'changeOf'>): ChannelSocialStreams {
  return {
    socialStream(id) {
      const facts = factsOf(id)
      const stream = facts && streamOf(facts)
      const unitId = facts?.allocatedUnitId
      return stream && unitId ? { ...stream, unitId } : undefined
    },
    async setSocialStream(transaction, id, unitId, stream) {
      const held = await holdChannel(transaction, id)
      const { transmissionId, allocatedUnitId } = held ?? {}
      if (!held || !transmissionId || allocatedUnitId !== unitId) return undefined
      const social = stream && { ...stream, transmissionId }
      return await changeOf(transaction, await saveSettings(transaction, held, { social }))
    },
  }
}

interface Streaming {
  transmissionId: string | null
  settings: ChannelSettings
}

/** The stream of the present transmission; one of an earlier transmission does not count. */
const streamOf = ({ transmissionId, settings: { social } }: Streaming): SocialStream | undefined =>
  social && social.transmissionId === transmissionId ? social : undefined

/** Everything that the server is to forward. */
export function outputsOf(channel: Streaming): Output[] {
  const output = streamOf(channel)?.output
  return [...outputsToCdn(channel), ...(output ? [output] : [])]
}
