// Description of a graphic, the same in lists and dialogs. Pure.
import type { Overlay } from '@backhaul/contract/nouns/overlays'

/** Pixels. */
export const sizeText = ({ width, height }: Overlay): string => `${width} × ${height}`

export const kilobytesOf = ({ bytes }: Pick<Overlay, 'bytes'>): number => Math.ceil(bytes / 1024)

export const channelNames = ({ channels }: Overlay): string => channels.map(({ name }) => name).join(', ')
