// The map's plane: Web Mercator, x and y from 0 to 1 over the whole world, as tile servers cut it.

/** View of the map: the place in its middle, and the zoom. At zoom 0 the world is 256 px wide, and twice that at each next. */
export interface MapView {
  readonly zoom: number
  readonly lat: number
  readonly lng: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const zoomLimits = [1, 19] as const
const tilePx = 256
/** Northern and southern limit of the plane. */
const latMost = 85.0511

const clamped = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

export const xOf = (lng: number): number => lng / 360 + 0.5

export function yOf(lat: number): number {
  const sine = Math.sin((clamped(lat, -latMost, latMost) * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export const lngOf = (x: number): number => (x - Math.floor(x)) * 360 - 180

export const latOf = (y: number): number => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI

/** Width of the world, in px. */
export const worldPx = (zoom: number): number => tilePx * 2 ** zoom

/** A view that can be shown: the zoom within its limits, the middle on the plane. */
export function soundView({ zoom, lat, lng }: MapView): MapView {
  return {
    zoom: clamped(Number.isFinite(zoom) ? zoom : 3, ...zoomLimits),
    lat: clamped(Number.isFinite(lat) ? lat : 0, -latMost, latMost),
    lng: Number.isFinite(lng) ? lngOf(xOf(lng)) : 0,
  }
}

/** The view after the map was pushed by this many px. */
export function panned(view: MapView, rightPx: number, downPx: number): MapView {
  const world = worldPx(view.zoom)
  return soundView({
    zoom: view.zoom,
    lng: lngOf(xOf(view.lng) - rightPx / world),
    lat: latOf(clamped(yOf(view.lat) - downPx / world, 0, 1)),
  })
}

/** Zooms in or out; the point at this place, in px from the middle, is kept in place. */
export function zoomed(view: MapView, by: number, atX = 0, atY = 0): MapView {
  const zoom = clamped(view.zoom + by, ...zoomLimits)
  const [before, after] = [worldPx(view.zoom), worldPx(zoom)]
  const shift = 1 - after / before
  return soundView({ ...panned({ ...view, zoom }, atX * shift, atY * shift), zoom })
}

export interface Bounds {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

const nearestFit = 14

/** The nearest view that shows all of the bounds, with some room around them. */
export function fitting(bounds: Bounds, { width, height }: Size): MapView {
  const room = 64
  const scale = Math.min(
    Math.max(width - 2 * room, 1) / Math.max(bounds.maxX - bounds.minX, 1e-9),
    Math.max(height - 2 * room, 1) / Math.max(bounds.maxY - bounds.minY, 1e-9),
  )
  return soundView({
    zoom: Math.min(nearestFit, Math.log2(scale / tilePx)),
    lng: lngOf((bounds.minX + bounds.maxX) / 2),
    lat: latOf((bounds.minY + bounds.maxY) / 2),
  })
}

/** Places of the plane in px of the screen. The world repeats itself to both sides; the copy next to the middle counts. */
export interface Screen extends Size {
  readonly world: number
  readonly middleX: number
  readonly middleY: number
}

export const screenOf = (view: MapView, size: Size): Screen => ({
  width: size.width,
  height: size.height,
  world: worldPx(view.zoom),
  middleX: xOf(view.lng),
  middleY: yOf(view.lat),
})

export function screenX({ width, world, middleX }: Screen, x: number): number {
  let away = x - middleX
  if (away > 0.5) away -= 1
  else if (away < -0.5) away += 1
  return width / 2 + away * world
}

export const screenY = ({ height, world, middleY }: Screen, y: number): number =>
  height / 2 + (y - middleY) * world

const nice = [1, 2, 5]

/** A round length on the ground and its width on the screen, at most so wide. */
export function scaleBar({ lat, zoom }: MapView, mostPx: number): { metres: number; px: number } {
  const metresPerPx = (40_075_017 * Math.cos((lat * Math.PI) / 180)) / worldPx(zoom)
  const most = mostPx * metresPerPx
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = (nice.findLast((step) => step * power <= most) ?? 1) * power
  return { metres, px: metres / metresPerPx }
}
