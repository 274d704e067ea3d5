// Places and looks of the units in arrays of numbers, and the spots to draw: single units and clusters
// of those that would cover each other. Nothing is allocated while units move.
import { type Bounds, type Screen, screenX, screenY, xOf, yOf } from './mercator.ts'

export const severities = ['none', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]

/** States of a unit in the ring of a cluster. */
export const shares = ['live', 'busy', 'ready', 'offline'] as const
export type Share = (typeof shares)[number]

/** Look of one unit; equal looks are the same object. */
export interface MarkerLook {
  readonly key: string
  readonly share: Share
  readonly severity: Severity
}

export interface Marker<L extends MarkerLook> {
  readonly lat: number
  readonly lng: number
  readonly look: L
}

/** Something that is drawn. Of a cluster `id` is one of its units. */
export interface Spot<L extends MarkerLook> {
  x: number
  y: number
  count: number
  id: string
  look: L
  /** For clusters. */
  severity: Severity
  onShares: Int32Array
  bounds: { minX: number; minY: number; maxX: number; maxY: number }
  ids: () => string[]
}

/** Units whose markers would be closer to each other than this, in px, are one cluster. */
const cellPx = 60
const mergePx = 34
/** Beyond the edge markers are still drawn in part. */
const edgePx = 40

export interface Markers<L extends MarkerLook> {
  size(): number
  put(id: string, marker: Marker<L>): void
  remove(id: string): void
  clear(): void
  placeOf(id: string): { x: number; y: number } | undefined
  bounds(): Bounds | undefined
  /** The spots in sight; `alone` is never part of a cluster and comes last. The spots are used again by the next call. */
  spots(screen: Screen, zoom: number, alone: string | null): readonly Spot<L>[]
}

export function createMarkers<L extends MarkerLook>(): Markers<L> {
  const slots = new Map<string, number>()
  const ids: string[] = []
  const looks: L[] = []
  let xs = new Float64Array(256)
  let ys = new Float64Array(256)
  let cellOf = new Int32Array(256)
  const grid = createGrid()
  const pool: Spot<L>[] = []

  function grow(): void {
    const wider = (old: Float64Array) => {
      const next = new Float64Array(old.length * 2)
      next.set(old)
      return next
    }
    xs = wider(xs)
    ys = wider(ys)
    cellOf = new Int32Array(xs.length)
  }

  /** The units of a cell and of those that were merged into it. */
  function idsOf(cell: number): string[] {
    const found: string[] = []
    for (let slot = 0; slot < ids.length; slot++) {
      const own = cellOf[slot] ?? -1
      if (own >= 0 && grid.rootOf(own) === cell) found.push(ids[slot] ?? '')
    }
    return found
  }

  function spotAt(index: number): Spot<L> {
    let spot = pool[index]
    if (!spot) {
      spot = {
        x: 0,
        y: 0,
        count: 0,
        id: '',
        look: looks[0] as L,
        severity: 'none',
        onShares: new Int32Array(shares.length),
        bounds: { minX: 0, minY: 0, maxX: 0, maxY: 0 },
        ids: () => [],
      }
      pool.push(spot)
    }
    return spot
  }

  function single(index: number, slot: number, screen: Screen): Spot<L> {
    const spot = spotAt(index)
    const [x = 0, y = 0] = [xs[slot], ys[slot]]
    const look = looks[slot] as L
    spot.x = screenX(screen, x)
    spot.y = screenY(screen, y)
    spot.count = 1
    spot.id = ids[slot] ?? ''
    spot.look = look
    spot.severity = look.severity
    return spot
  }

  return {
    size: () => ids.length,
    put(id, { lat, lng, look }) {
      let slot = slots.get(id)
      if (slot === undefined) {
        slot = ids.length
        if (slot === xs.length) grow()
        slots.set(id, slot)
        ids.push(id)
      }
      xs[slot] = xOf(lng)
      ys[slot] = yOf(lat)
      looks[slot] = look
    },
    remove(id) {
      const slot = slots.get(id)
      if (slot === undefined) return
      slots.delete(id)
      const last = ids.length - 1
      const moved = ids.pop() ?? ''
      const look = looks.pop() as L
      if (slot === last) return
      ids[slot] = moved
      looks[slot] = look
      xs[slot] = xs[last] ?? 0
      ys[slot] = ys[last] ?? 0
      slots.set(moved, slot)
    },
    clear() {
      slots.clear()
      ids.length = 0
      looks.length = 0
    },
    placeOf(id) {
      const slot = slots.get(id)
      return slot === undefined ? undefined : { x: xs[slot] ?? 0, y: ys[slot] ?? 0 }
    },
    bounds() {
      if (ids.length === 0) return undefined
      const all = { minX: 1, minY: 1, maxX: 0, maxY: 0 }
      for (let slot = 0; slot < ids.length; slot++) widen(all, xs[slot] ?? 0, ys[slot] ?? 0)
      return all
    },
    spots(screen, zoom, alone) {
      const aloneSlot = alone === null ? undefined : slots.get(alone)
      grid.begin(screen, zoom)
      for (let slot = 0; slot < ids.length; slot++) {
        cellOf[slot] =
          slot === aloneSlot
            ? -1
            : grid.add(slot, xs[slot] ?? 0, ys[slot] ?? 0, looks[slot] as MarkerLook, screen)
      }
      grid.merge()
      let drawn = 0
      for (const cell of grid.roots()) {
        const { count, first } = grid.cell(cell)
        if (count === 1) single(drawn, first, screen)
        else grid.fill(spotAt(drawn), cell, ids[first] ?? '', () => idsOf(cell))
        drawn += 1
      }
      if (aloneSlot !== undefined) {
        const chosen = single(drawn, aloneSlot, screen)
        for (let at = 0; at < drawn; at++) pushAside(spotAt(at), chosen)
        drawn += 1
      }
      pool.length = drawn
      return pool
    },
  }
}

/** A spot that the unit shown alone would cover is drawn next to it. */
function pushAside(spot: { x: number; y: number }, { x, y }: { x: number; y: number }): void {
  const [awayX, awayY] = [spot.x - x, spot.y - y]
  const away = Math.hypot(awayX, awayY)
  if (away >= mergePx) return
  spot.x = x + (away === 0 ? mergePx : (awayX / away) * mergePx)
  spot.y = y + (away === 0 ? 0 : (awayY / away) * mergePx)
}

function widen(bounds: { minX: number; minY: number; maxX: number; maxY: number }, x: number, y: number) {
  if (x < bounds.minX) bounds.minX = x
  if (x > bounds.maxX) bounds.maxX = x
  if (y < bounds.minY) bounds.minY = y
  if (y > bounds.maxY) bounds.maxY = y
}

/** Sums of the cells in sight. The cells lie still on the ground, so that a pan changes no cluster. */
function createGrid() {
  let columns = 0
  let rows = 0
  let size = 0
  let left = 0
  let top = 0
  let counts = new Int32Array(0)
  let firsts = new Int32Array(0)
  let roots = new Int32Array(0)
  let worst = new Uint8Array(0)
  let sumX = new Float64Array(0)
  let sumY = new Float64Array(0)
  let byShare = new Int32Array(0)
  let bounds = new Float64Array(0)
  const used: number[] = []

  function reserve(cells: number): void {
    if (counts.length >= cells) return
    counts = new Int32Array(cells)
    firsts = new Int32Array(cells)
    roots = new Int32Array(cells)
    worst = new Uint8Array(cells)
    sumX = new Float64Array(cells)
    sumY = new Float64Array(cells)
    byShare = new Int32Array(cells * shares.length)
    bounds = new Float64Array(cells * 4)
    used.length = 0
  }

  function empty(): void {
    for (const cell of used) counts[cell] = 0
    used.length = 0
  }

  const rootOf = (cell: number): number => {
    let root = cell
    while (roots[root] !== root) root = roots[root] ?? root
    return root
  }

  function join(into: number, from: number): void {
    roots[from] = into
    const many = counts[into] ?? 0
    if (many === 0) return
    counts[into] = many + (counts[from] ?? 0)
    sumX[into] = (sumX[into] ?? 0) + (sumX[from] ?? 0)
    sumY[into] = (sumY[into] ?? 0) + (sumY[from] ?? 0)
    worst[into] = Math.max(worst[into] ?? 0, worst[from] ?? 0)
    for (let at = 0; at < shares.length; at++) {
      const place = into * shares.length + at
      byShare[place] = (byShare[place] ?? 0) + (byShare[from * shares.length + at] ?? 0)
    }
    for (let at = 0; at < 4; at++) {
      const [a = 0, b = 0] = [bounds[into * 4 + at], bounds[from * 4 + at]]
      bounds[into * 4 + at] = at < 2 ? Math.min(a, b) : Math.max(a, b)
    }
  }

  const apart = (a: number, b: number): number =>
    Math.hypot(
      (sumX[a] ?? 0) / (counts[a] ?? 1) - (sumX[b] ?? 0) / (counts[b] ?? 1),
      (sumY[a] ?? 0) / (counts[a] ?? 1) - (sumY[b] ?? 0) / (counts[b] ?? 1),
    )

  return {
    rootOf,
    begin(screen: Screen, zoom: number): void {
      empty()
      const cell = cellPx / (256 * 2 ** Math.round(zoom))
      size = cell * screen.world
      // Px of the screen at which the first cell begins, on the ground that lies still.
      const originX = screen.width / 2 - screen.middleX * screen.world
      const originY = screen.height / 2 - screen.middleY * screen.world
      left = Math.floor((-edgePx - originX) / size) * size + originX
      top = Math.floor((-edgePx - originY) / size) * size + originY
      columns = Math.ceil((screen.width + edgePx - left) / size) + 1
      rows = Math.ceil((screen.height + edgePx - top) / size) + 1
      reserve(columns * rows)
    },
    /** The cell, -1 out of sight. */
    add(slot: number, x: number, y: number, look: MarkerLook, screen: Screen): number {
      const [atX, atY] = [screenX(screen, x), screenY(screen, y)]
      if (atX < -edgePx || atY < -edgePx || atX > screen.width + edgePx || atY > screen.height + edgePx)
        return -1
      const cell = Math.floor((atY - top) / size) * columns + Math.floor((atX - left) / size)
      if (counts[cell] === 0) {
        used.push(cell)
        firsts[cell] = slot
        roots[cell] = cell
        worst[cell] = 0
        sumX[cell] = 0
        sumY[cell] = 0
        byShare.fill(0, cell * shares.length, (cell + 1) * shares.length)
        bounds.set([x, y, x, y], cell * 4)
      }
      counts[cell] = (counts[cell] ?? 0) + 1
      sumX[cell] = (sumX[cell] ?? 0) + atX
      sumY[cell] = (sumY[cell] ?? 0) + atY
      const severity = severities.indexOf(look.severity)
      if (severity > (worst[cell] ?? 0)) worst[cell] = severity
      const place = cell * shares.length + shares.indexOf(look.share)
      byShare[place] = (byShare[place] ?? 0) + 1
      const at = cell * 4
      bounds[at] = Math.min(bounds[at] ?? x, x)
      bounds[at + 1] = Math.min(bounds[at + 1] ?? y, y)
      bounds[at + 2] = Math.max(bounds[at + 2] ?? x, x)
      bounds[at + 3] = Math.max(bounds[at + 3] ?? y, y)
      return cell
    },
    /** Cells whose middles are near each other across an edge become one. */
    merge(): void {
      used.sort((a, b) => a - b)
      for (const cell of used) {
        const here = rootOf(cell)
        const atEnd = cell % columns === columns - 1
        const atStart = cell % columns === 0
        for (const step of [atEnd ? 0 : 1, atStart ? 0 : columns - 1, columns, atEnd ? 0 : columns + 1]) {
          const next = cell + step
          if (step === 0 || next >= columns * rows || (counts[next] ?? 0) === 0) continue
          const there = rootOf(next)
          const root = rootOf(here)
          if (there !== root && apart(root, there) < mergePx) join(root, there)
        }
      }
    },
    *roots(): Iterable<number> {
      for (const cell of used) if (roots[cell] === cell) yield cell
    },
    cell: (cell: number) => ({ count: counts[cell] ?? 0, first: firsts[cell] ?? 0 }),
    fill<L extends MarkerLook>(spot: Spot<L>, cell: number, id: string, ids: () => string[]): void {
      const count = counts[cell] ?? 1
      spot.count = count
      spot.x = (sumX[cell] ?? 0) / count
      spot.y = (sumY[cell] ?? 0) / count
      spot.id = id
      spot.severity = severities[worst[cell] ?? 0] ?? 'none'
      for (let at = 0; at < shares.length; at++) spot.onShares[at] = byShare[cell * shares.length + at] ?? 0
      const at = cell * 4
      spot.bounds.minX = bounds[at] ?? 0
      spot.bounds.minY = bounds[at + 1] ?? 0
      spot.bounds.maxX = bounds[at + 2] ?? 0
      spot.bounds.maxY = bounds[at + 3] ?? 0
      spot.ids = ids
    },
  }
}
