// Pictures of the ground from the tile server that the operator has set; without that setting nothing here runs.
import type { Screen } from './mercator.ts'

export interface Tiles {
  draw(context: CanvasRenderingContext2D, screen: Screen, zoom: number): void
  /** Fetches in progress continue, but are not reported any more. */
  close(): void
}

const tilePx = 256
const kept = 400
const deepest = 19

interface Tile {
  image: HTMLImageElement
  state: 'loading' | 'ready' | 'failed'
}

/** `onTile` when one has come, or none could be fetched. */
export function createTiles(address: string, onTile: (isThere: boolean) => void): Tiles {
  const tiles = new Map<string, Tile>()
  let isClosed = false

  function tileAt(z: number, x: number, y: number): Tile {
    const key = `${z}/${x}/${y}`
    const known = tiles.get(key)
    if (known) {
      tiles.delete(key)
      tiles.set(key, known)
      return known
    }
    const tile: Tile = { image: new Image(), state: 'loading' }
    const done = (state: Tile['state']) => () => {
      tile.state = state
      if (!isClosed) onTile(state === 'ready')
    }
    tile.image.onload = done('ready')
    tile.image.onerror = done('failed')
    tile.image.decoding = 'async'
    tile.image.src = address.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`)
    tiles.set(key, tile)
    for (const oldest of tiles.keys()) {
      if (tiles.size <= kept) break
      tiles.delete(oldest)
    }
    return tile
  }

  return {
    draw(context, screen, zoom) {
      const z = Math.min(deepest, Math.max(0, Math.round(zoom)))
      const across = 2 ** z
      const side = screen.world / across
      const left = screen.width / 2 - screen.middleX * screen.world
      const top = screen.height / 2 - screen.middleY * screen.world
      const firstX = Math.floor(-left / side)
      const lastX = Math.ceil((screen.width - left) / side) - 1
      const firstY = Math.max(0, Math.floor(-top / side))
      const lastY = Math.min(across - 1, Math.ceil((screen.height - top) / side) - 1)
      context.imageSmoothingEnabled = Math.abs(side - tilePx) > 0.5
      for (let y = firstY; y <= lastY; y++)
        for (let x = firstX; x <= lastX; x++) {
          const { image, state } = tileAt(z, ((x % across) + across) % across, y)
          if (state === 'ready') context.drawImage(image, left + x * side, top + y * side, side, side)
        }
    },
    close() {
      isClosed = true
    },
  }
}
