// Changes of channels, as the parts of this feature make them.
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { WantedChange } from '../devices/devices.ts'
import type { ChannelFacts } from './channel-table.ts'

/** A channel whose row changed inside a transaction: `adopt` it after the commit. */
export interface ChannelChange {
  readonly facts: ChannelFacts
  readonly wanted: WantedChange
}

/** The reads and changes of channels that the parts of this feature share. */
export interface ChannelChanges {
  factsOf(id: string): ChannelFacts | undefined
  /** The stored change, with what is sent to its server; undefined for a channel that is gone. */
  changeOf(
    transaction: DatabaseTransaction,
    facts: ChannelFacts | undefined,
  ): Promise<ChannelChange | undefined>
  /**
   * The same for a change of what the channel puts out. Throws Conflict when one more channel of the server would put out
   * than its licence allows.
   */
  putOutOf(
    transaction: DatabaseTransaction,
    before: ChannelFacts,
    after: ChannelFacts,
  ): Promise<ChannelChange | undefined>
  adopt(changes: readonly (ChannelChange | undefined)[]): void
}
