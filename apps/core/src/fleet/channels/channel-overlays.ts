// The graphic drawn over a channel's outputs; the graphics themselves are in the feature overlays.
import type { WantedOverlay } from '@backhaul/contract/gateway/servers'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { type ChannelOverlay, channelsOfInventory, holdChannel, saveSettings } from './channel-table.ts'

export interface ChannelOverlays {
  /** Adopt it after the commit; undefined when the channel is gone. */
  setOverlay(
    transaction: DatabaseTransaction,
    id: string,
    overlay: ChannelOverlay | null,
  ): Promise<ChannelChange | undefined>
  /** Names of the channels of the customer with this graphic, from the database. */
  namesUnder(transaction: DatabaseTransaction, inventoryId: string, overlayId: string): Promise<string[]>
}

/** The overlay as it is sent to the server. */
export const wantedOverlayOf = ({ id, width, height, place }: ChannelOverlay): WantedOverlay => ({
  id,
  width,
  height,
  place,
})

export function createChannelOverlays({ changeOf }: Pick<ChannelChanges, 'changeOf'>): ChannelOverlays {
  return {
    async setOverlay(transaction, id, overlay) {
      const held = await holdChannel(transaction, id)
      return await changeOf(transaction, held && (await saveSettings(transaction, held, { overlay })))
    },
    async namesUnder(transaction, inventoryId, overlayId) {
      const all = await channelsOfInventory(transaction, inventoryId)
      return all.filter(({ settings }) => settings.overlay?.id === overlayId).map(({ name }) => name)
    },
  }
}
