// The map itself, outside React: two canvases, one for the ground and one for the units, drawn when something changed.
import { drawBase, type Ground } from './base-map.ts'
import { coloursOf, onTheme } from './colours.ts'
import { followHand } from './hand.ts'
import { createMarkers, type Marker, type Spot } from './markers.ts'
import {
  fitting,
  type MapView,
  panned,
  type Size,
  screenOf,
  screenX,
  screenY,
  soundView,
  worldPx,
  xOf,
  yOf,
  zoomed,
  zoomLimits,
} from './mercator.ts'
import { clusterRadiusPx, createSprites, type GlyphMarkup, type UnitLook, unitRadiusPx } from './sprites.ts'
import { createTiles } from './tiles.ts'

export interface UnitMap {
  put(id: string, marker: Marker<UnitLook>): void
  remove(id: string): void
  clear(): void
  /** Brings it into sight too where it is outside. */
  select(id: string | null): void
  show(view: MapView): void
  /** About the selected unit where it is in sight. */
  zoomBy(by: number): void
  /** The nearest view with all units. */
  showAll(): void
  setGround(ground: Ground): void
  close(): void
}

export interface UnitMapOptions {
  view: MapView
  glyph: GlyphMarkup
  nameOf: (id: string) => string
  /** Text for several units at one place. */
  wordsOf: (ids: readonly string[]) => string
  /** The operator's tile server; undefined: the built-in outlines alone. */
  tiles: string | undefined
  onTiles: (areThere: boolean) => void
  onView: (view: MapView) => void
  onSelect: (id: string) => void
  onOpen: (id: string) => void
}

/** This much of the ground is drawn around the view. */
const marginPx = 240
/** The ground is drawn again when the hand has rested this long. */
const settleMs = 120
const hitPx = 18
const namesAtMost = 60
const nameHalfPx = 7

export function createUnitMap(host: HTMLElement, options: UnitMapOptions): UnitMap {
  const base = layer(host, 'map-base')
  const top = layer(host, 'map-units')
  const label = host.appendChild(document.createElement('div'))
  label.className = 'map-label'
  label.dataset.part = 'map-label'
  label.hidden = true
  const markers = createMarkers<UnitLook>()
  let size: Size = { width: host.clientWidth, height: host.clientHeight }
  let view = soundView(options.view)
  let drawn: MapView | undefined
  let ground: Ground | undefined
  let colours = coloursOf(host)
  let sprites = createSprites(colours, options.glyph, () => invalidate())
  let selected: string | null = null
  let pointed: Spot<UnitLook> | undefined
  let pointer: { x: number; y: number } | undefined
  let spots: readonly Spot<UnitLook>[] = []
  let frame: number | undefined
  let settle: ReturnType<typeof setTimeout> | undefined

  const tiles =
    options.tiles === undefined
      ? undefined
      : createTiles(options.tiles, (isThere) => {
          options.onTiles(isThere)
          if (isThere) settleSoon()
        })

  function invalidate(): void {
    frame ??= requestAnimationFrame(() => {
      frame = undefined
      draw()
    })
  }

  function settleSoon(): void {
    clearTimeout(settle)
    settle = setTimeout(() => {
      drawn = undefined
      invalidate()
    }, settleMs)
  }

  /** Pushes what is drawn of the ground to where it belongs now, and draws it again where that is not enough. */
  function placeBase(): void {
    const scale = drawn ? worldPx(view.zoom) / worldPx(drawn.zoom) : 1
    const world = worldPx(view.zoom)
    let [awayX, awayY] = [0, 0]
    if (drawn) {
      awayX = screenX(screenOf(view, { width: 0, height: 0 }), xOf(drawn.lng))
      awayY = (yOf(drawn.lat) - yOf(view.lat)) * world
    }
    const covers = (half: number, away: number) => (half + marginPx) * scale >= half + Math.abs(away)
    if (!drawn || scale > 3 || !covers(size.width / 2, awayX) || !covers(size.height / 2, awayY)) {
      drawBase(base, view, size, marginPx, { ground, tiles, colours })
      drawn = view
      base.style.transform = `translate(${-marginPx}px, ${-marginPx}px)`
      return
    }
    base.style.transform = `translate(${awayX - marginPx}px, ${awayY - marginPx}px) scale(${scale})`
  }

  function draw(): void {
    if (size.width === 0 || size.height === 0) return
    placeBase()
    const ratio = devicePixelRatio || 1
    const context = top.getContext('2d')
    if (!context) return
    fitCanvas(top, size, ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    spots = markers.spots(screenOf(view, size), view.zoom, selected)
    for (const spot of spots) {
      if (spot.count > 1) sprites.drawCluster(context, spot)
      else sprites.drawUnit(context, spot, spot.id === selected)
    }
    drawUnitNames(context)
    point()
  }

  /** Draws names where there is room: for few units, below or above each, and no name over another or over a cluster. */
  function drawUnitNames(context: CanvasRenderingContext2D): void {
    const alone = spots.filter(({ count }) => count === 1)
    if (alone.length > namesAtMost) return
    context.font = '500 11px "Inter Variable", sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    const taken = spots
      .filter(({ count }) => count > 1)
      .map(({ x, y }) => ({ x, y, halfWidth: clusterRadiusPx, halfHeight: clusterRadiusPx }))
    for (const { id, x, y } of alone.toReversed()) {
      const text = options.nameOf(id)
      const halfWidth = context.measureText(text).width / 2 + 3
      const isFree = (at: number) =>
        !taken.some(
          (one) =>
            Math.abs(one.x - x) < one.halfWidth + halfWidth &&
            Math.abs(one.y - at) < one.halfHeight + nameHalfPx,
        )
      const at = [y + unitRadiusPx + 9, y - unitRadiusPx - 9].find(isFree)
      if (at === undefined) continue
      taken.push({ x, y: at, halfWidth, halfHeight: nameHalfPx })
      context.strokeStyle = colours.land
      context.lineWidth = 3
      context.strokeText(text, x, at)
      context.fillStyle = colours.ink
      context.fillText(text, x, at)
    }
  }

  const hit = (x: number, y: number): Spot<UnitLook> | undefined =>
    spots.findLast((spot) => Math.hypot(spot.x - x, spot.y - y) <= hitPx)

  /** The words at the pointer: of the unit or the units under it. */
  function point(): void {
    pointed = pointer && hit(pointer.x, pointer.y)
    host.style.cursor = pointed ? 'pointer' : ''
    label.hidden = pointed === undefined
    if (!pointed) return
    const text = pointed.count > 1 ? options.wordsOf(pointed.ids()) : options.nameOf(pointed.id)
    if (label.textContent !== text) label.textContent = text
    label.style.transform = `translate(${pointed.x}px, ${pointed.y - hitPx - 6}px) translate(-50%, -100%)`
  }

  function move(next: MapView): void {
    if (next.zoom === view.zoom && next.lat === view.lat && next.lng === view.lng) return
    view = next
    options.onView(view)
    settleSoon()
    invalidate()
  }

  /** A cluster opens; one whose units are at the same place is gone through, one unit with each press. */
  function press(x: number, y: number): void {
    const spot = hit(x, y)
    if (!spot) return
    if (spot.count === 1) {
      options.onSelect(spot.id)
      return
    }
    const opened = fitting(spot.bounds, size)
    if (opened.zoom > view.zoom + 0.3 && view.zoom < zoomLimits[1] - 2) {
      move({ ...opened, zoom: Math.max(opened.zoom, view.zoom + 1) })
      return
    }
    const ids = spot.ids()
    const next = ids[(ids.indexOf(selected ?? '') + 1) % ids.length]
    if (next !== undefined) options.onSelect(next)
  }

  const stopHand = followHand(host, {
    view: () => view,
    size: () => size,
    move,
    press,
    open(x, y) {
      const spot = hit(x, y)
      if (spot?.count === 1) options.onOpen(spot.id)
      return spot !== undefined
    },
    openSelected: () => selected !== null && options.onOpen(selected),
    showAll,
    anchor,
    point(at) {
      pointer = at
      point()
    },
  })

  function anchor(): [x: number, y: number] {
    const at = placeOfSelected()
    return at?.isInSight ? [at.x - size.width / 2, at.y - size.height / 2] : [0, 0]
  }

  function placeOfSelected(): { x: number; y: number; isInSight: boolean } | undefined {
    const place = selected === null ? undefined : markers.placeOf(selected)
    if (!place || size.width === 0) return undefined
    const screen = screenOf(view, size)
    const [x, y] = [screenX(screen, place.x), screenY(screen, place.y)]
    const room = 2 * unitRadiusPx
    return { x, y, isInSight: x > room && y > room && x < size.width - room && y < size.height - room }
  }

  function showAll(): void {
    const all = markers.bounds()
    if (all) move(fitting(all, size))
  }

  const stopTheme = onTheme(() => {
    colours = coloursOf(host)
    sprites = createSprites(colours, options.glyph, invalidate)
    drawn = undefined
    invalidate()
  })
  const observer = new ResizeObserver(() => {
    size = { width: host.clientWidth, height: host.clientHeight }
    drawn = undefined
    invalidate()
  })
  observer.observe(host)
  invalidate()

  return {
    put(id, marker) {
      markers.put(id, marker)
      invalidate()
    },
    remove(id) {
      markers.remove(id)
      invalidate()
    },
    clear() {
      markers.clear()
      invalidate()
    },
    select(id) {
      if (selected === id) return
      selected = id
      const at = placeOfSelected()
      if (at && !at.isInSight) move(panned(view, size.width / 2 - at.x, size.height / 2 - at.y))
      invalidate()
    },
    show: (next) => move(soundView(next)),
    zoomBy: (by) => move(zoomed(view, by, ...anchor())),
    showAll,
    setGround(next) {
      ground = next
      drawn = undefined
      invalidate()
    },
    close() {
      if (frame !== undefined) cancelAnimationFrame(frame)
      clearTimeout(settle)
      observer.disconnect()
      stopTheme()
      stopHand()
      tiles?.close()
      for (const part of [base, top, label]) part.remove()
    },
  }
}

function layer(host: HTMLElement, name: string): HTMLCanvasElement {
  const canvas = host.appendChild(document.createElement('canvas'))
  canvas.className = name
  canvas.setAttribute('aria-hidden', 'true')
  return canvas
}

function fitCanvas(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
}
