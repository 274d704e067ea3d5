// The streaming destinations of a channel that are sent to: those on demand only while started for its transmission.
import type { Output } from '@backhaul/contract/gateway/servers'
import { isOutputOf } from '@backhaul/contract/nouns/output-states'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { type ChannelSettings, holdChannel, type NamedDestination, saveSettings } from './channel-table.ts'

export interface ChannelDestination extends NamedDestination {
  /** Sent to while there is a picture. */
  isOn: boolean
}

/** The ids of destinations that users started or stopped during a transmission. */
export type CdnChoice = Pick<NonNullable<ChannelSettings['cdn']>, 'started' | 'stopped'>

export interface ChannelCdnStreams {
  /** By name; undefined for an unknown channel. */
  cdnStreams(id: string): ChannelDestination[] | undefined
  /** Undefined for a channel that this unit does not hold. */
  setCdnStreams(
    transaction: DatabaseTransaction,
    id: string,
    unitId: string,
    next: (now: readonly ChannelDestination[]) => CdnChoice,
  ): Promise<ChannelChange | undefined>
}

export function createCdnStreams({
  factsOf,
  changeOf,
}: Pick<ChannelChanges, 'factsOf' | 'changeOf'>): ChannelCdnStreams {
  return {
    cdnStreams(id) {
      const facts = factsOf(id)
      return facts && destinationsOf(facts)
    },
    async setCdnStreams(transaction, id, unitId, next) {
      const held = await holdChannel(transaction, id)
      const { transmissionId, allocatedUnitId } = held ?? {}
      if (!held || !transmissionId || allocatedUnitId !== unitId) return undefined
      const cdn = { transmissionId, ...next(destinationsOf(held)) }
      return await changeOf(transaction, await saveSettings(transaction, held, { cdn }))
    },
  }
}

interface Streaming {
  transmissionId: string | null
  settings: ChannelSettings
}

/** The chosen destinations; a choice for an earlier transmission does not count. */
function destinationsOf({ transmissionId, settings }: Streaming): ChannelDestination[] {
  const { destinations = [], cdn } = settings
  const chosen: CdnChoice = cdn && cdn.transmissionId === transmissionId ? cdn : { started: [], stopped: [] }
  return destinations.map((one) => ({
    ...one,
    isOn: chosen.started.includes(one.id) || (!one.onDemand && !chosen.stopped.includes(one.id)),
  }))
}

/** The outputs of the destinations that are sent to. */
export function outputsToCdn(channel: Streaming): Output[] {
  const off = destinationsOf(channel).filter(({ isOn }) => !isOn)
  return channel.settings.outputs.filter((output) => !off.some(({ id }) => isOutputOf(id, output.id)))
}
