// Several channels changed together, as for a unit with several cameras.
import type { DatabaseTransaction } from '../../database/schema.ts'
import * as table from './channel-table.ts'

export interface ChannelHolds {
  /** The members of a group channel, in order; empty for any other channel. */
  members(id: string): readonly string[]
  /**
   * Locks these channels until the transaction ends. Answers them in the order in which they must
   * then be changed, so that two transactions that take several never wait for each other.
   */
  hold(transaction: DatabaseTransaction, ids: readonly string[]): Promise<string[]>
}

export const createChannelHolds = (
  factsOf: (id: string) => table.ChannelFacts | undefined,
): ChannelHolds => ({
  members: (id) => factsOf(id)?.settings.members ?? [],
  async hold(transaction, ids) {
    const serverOf = (id: string) => factsOf(id)?.serverId ?? ''
    if (ids.length > 1) for (const id of ids.toSorted()) await table.holdChannel(transaction, id)
    // Each change writes to the server of its channel.
    return ids.toSorted((a, b) => serverOf(a).localeCompare(serverOf(b)))
  },
})
