// SMPTE 2110 outputs of channels: stored with the channel, sent to its server.

import { Conflict } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { type SmpteChannel, type SmpteStreams, sharedEssence } from '@backhaul/contract/nouns/smpte'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { type ChannelFacts, channelsOfServer, holdChannel, saveSettings } from './channel-table.ts'

export interface ChannelSmpte {
  /** The SMPTE settings, without a check of the caller's scope; null where none are set. */
  of(id: string): SmpteChannel | null
  /**
   * Adopt it after the commit; undefined when the channel is gone. Throws Conflict when another channel of the server is
   * sent to the same address and port.
   */
  set(
    transaction: DatabaseTransaction,
    id: string,
    smpte: SmpteChannel | null,
  ): Promise<ChannelChange | undefined>
}

export function createChannelSmpte({
  factsOf,
  putOutOf,
}: Pick<ChannelChanges, 'factsOf' | 'putOutOf'>): ChannelSmpte {
  return {
    of: (id) => factsOf(id)?.settings.smpte ?? null,
    async set(transaction, id, smpte) {
      const held = await holdChannel(transaction, id)
      const change =
        held && (await putOutOf(transaction, held, await saveSettings(transaction, held, { smpte })))
      if (!change || !smpte) return change
      // The server is locked by now, so that of two channels neither misses the other.
      const all = await channelsOfServer(transaction, change.facts.serverId)
      requireFreeStreams(
        smpte.configuration,
        all.filter((one) => one.id !== id),
      )
      return change
    },
  }
}

function requireFreeStreams(streams: SmpteStreams, others: readonly ChannelFacts[]): void {
  for (const { name, settings } of others) {
    const essence = settings.smpte && sharedEssence(streams, settings.smpte.configuration)
    if (!essence) continue
    throw Conflict.at(`configuration.${essence}.address`, because('channel.streamTaken', { channel: name }))
  }
}
