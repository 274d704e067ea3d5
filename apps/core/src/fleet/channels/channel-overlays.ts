// Which graphic lies over what a channel sends on; graphics themselves are kept elsewhere.
import type { WantedOverlay } from '@backhaul/contract/gateway/servers'
import type { OverlayRef } from '@backhaul/contract/nouns/overlays'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { ChannelBook, ChannelChange } from './channel-change.ts'
import { channelsOfInventory, holdChannel, saveSettings } from './channel-table.ts'

/** Pixels of a programme that is 1920 wide. */
export interface ChannelOverlay extends OverlayRef {
  width: number
  height: number
}

export interface ChannelOverlays {
  /** Adopt it after the commit; undefined when the channel is gone. */
  setOverlay(
    transaction: DatabaseTransaction,
    id: string,
    overlay: ChannelOverlay | null,
  ): Promise<ChannelChange | undefined>
  /** Names of the channels of the customer on which the graphic lies, as it is written. */
  namesUnder(transaction: DatabaseTransaction, inventoryId: string, overlayId: string): Promise<string[]>
}

/** What its server is told of it. */
export const wantedOverlayOf = ({ id, width, height, place }: ChannelOverlay): WantedOverlay => ({
  id,
  width,
  height,
  place,
})

export function createChannelOverlays({ changeOf }: Pick<ChannelBook, 'changeOf'>): ChannelOverlays {
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
