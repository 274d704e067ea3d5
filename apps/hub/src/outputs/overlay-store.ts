// The graphics that a hub holds for its channels, each a file named by its id.

import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import {
  OVERLAY_EXTRA_BYTES_MAX,
  OVERLAY_PIXELS_MAX,
  unpackedReasons,
} from '@backhaul/contract/nouns/overlays'
import { Refused } from '@backhaul/device/refused'
import { pngFault } from '@backhaul/runtime/png'

export interface OverlayStore {
  ids(): string[]
  /** Rejects with a text for the operator when the file must not be decoded. */
  put(id: string, png: Uint8Array): Promise<void>
  /** Removes the graphics that no channel uses. */
  keepOnly(wanted: ServerWanted): void
  /** The wanted state without the graphics that have not arrived yet. */
  withHeld(wanted: ServerWanted): ServerWanted
}

const ending = '.png'
const limits = { pixelsAtMost: OVERLAY_PIXELS_MAX, extraBytesAtMost: OVERLAY_EXTRA_BYTES_MAX }

const overlayFolder = (dataFolder: string): string => join(dataFolder, 'overlays')
export const overlayPath = (dataFolder: string, id: string): string =>
  join(overlayFolder(dataFolder), `${id}${ending}`)

export function createOverlayStore(dataFolder: string): OverlayStore {
  mkdirSync(overlayFolder(dataFolder), { recursive: true })
  const found = readdirSync(overlayFolder(dataFolder)).filter((name) => name.endsWith(ending))
  const held = new Set(found.map((name) => name.slice(0, -ending.length)))

  return {
    ids: () => [...held],
    async put(id, png) {
      const fault = await pngFault(Buffer.from(png), limits)
      if (fault) throw new Refused(unpackedReasons[fault])
      const path = overlayPath(dataFolder, id)
      // Written whole or not at all: a partial file is not a picture.
      writeFileSync(`${path}.part`, png)
      renameSync(`${path}.part`, path)
      held.add(id)
    },
    keepOnly({ channels }) {
      const wanted = new Set(channels.map(({ overlay }) => overlay?.id))
      for (const id of held) {
        if (wanted.has(id)) continue
        rmSync(overlayPath(dataFolder, id), { force: true })
        held.delete(id)
      }
    },
    withHeld: (wanted) => ({
      ...wanted,
      channels: wanted.channels.map(({ overlay, ...channel }) =>
        overlay && held.has(overlay.id) ? { ...channel, overlay } : channel,
      ),
    }),
  }
}
