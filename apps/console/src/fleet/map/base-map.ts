// The ground under the units: land, borders, the names of countries and towns; or the tiles of the operator's server.
import type { Colours } from './colours.ts'
import { type MapView, type Screen, type Size, screenOf, screenX, screenY } from './mercator.ts'
import type { Tiles } from './tiles.ts'
import type { Country, Ring } from './world.ts'

export interface Town {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly people: number
}

export interface Ground {
  readonly countries: readonly Country[]
  /** The largest first. */
  readonly towns: readonly Town[]
}

/** Points that are nearer to each other are drawn as one. */
const leastStepPx = 0.8
const labelsAtMost = 70

/** Draws the view, and `marginPx` around it, so that the map can be pushed without being drawn again. */
export function drawBase(
  canvas: HTMLCanvasElement,
  view: MapView,
  size: Size,
  marginPx: number,
  { ground, tiles, colours }: { ground: Ground | undefined; tiles: Tiles | undefined; colours: Colours },
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = devicePixelRatio || 1
  const [width, height] = [size.width + 2 * marginPx, size.height + 2 * marginPx]
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const screen = screenOf(view, { width, height })
  context.fillStyle = colours.water
  context.fillRect(0, 0, width, height)
  if (ground) drawLand(context, screen, ground.countries, colours)
  if (tiles) tiles.draw(context, screen, view.zoom)
  else if (ground) drawNames(context, screen, view.zoom, ground, colours)
}

function drawLand(
  context: CanvasRenderingContext2D,
  screen: Screen,
  countries: readonly Country[],
  colours: Colours,
): void {
  context.beginPath()
  for (const { rings } of countries) for (const ring of rings) drawCopies(context, screen, ring)
  context.fillStyle = colours.land
  context.fill()
  context.strokeStyle = colours.border
  context.lineWidth = 1
  context.lineJoin = 'round'
  context.stroke()
}

/** The world repeats itself to both sides: each copy of the ring that is in sight. */
function drawCopies(context: CanvasRenderingContext2D, screen: Screen, ring: Ring): void {
  const left = screen.middleX - screen.width / 2 / screen.world
  const right = screen.middleX + screen.width / 2 / screen.world
  const top = screen.middleY - screen.height / 2 / screen.world
  const bottom = screen.middleY + screen.height / 2 / screen.world
  if (ring.maxY < top || ring.minY > bottom) return
  for (let copy = Math.ceil(left - ring.maxX); copy <= right - ring.minX; copy++)
    drawRing(context, screen, ring.points, copy)
}

function drawRing(
  context: CanvasRenderingContext2D,
  { world, width, height, middleX, middleY }: Screen,
  points: Float32Array,
  copy: number,
): void {
  const shiftX = width / 2 + (copy - middleX) * world
  const shiftY = height / 2 - middleY * world
  let [lastX, lastY] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let drawn = 0
  for (let at = 0; at < points.length; at += 2) {
    const x = (points[at] ?? 0) * world + shiftX
    const y = (points[at + 1] ?? 0) * world + shiftY
    if (Math.abs(x - lastX) < leastStepPx && Math.abs(y - lastY) < leastStepPx) continue
    if (drawn === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
    drawn += 1
    lastX = x
    lastY = y
  }
  if (drawn > 0) context.closePath()
}

/** A name is drawn where no larger one is. */
function drawNames(
  context: CanvasRenderingContext2D,
  screen: Screen,
  zoom: number,
  { countries, towns }: Ground,
  colours: Colours,
): void {
  const taken: [left: number, top: number, right: number, bottom: number][] = []
  const isFree = (x: number, y: number, halfWidth: number, halfHeight: number): boolean => {
    const box: (typeof taken)[number] = [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight]
    if (box[0] < 0 || box[1] < 0 || box[2] > screen.width || box[3] > screen.height) return false
    if (taken.some((one) => box[0] < one[2] && box[2] > one[0] && box[1] < one[3] && box[3] > one[1]))
      return false
    taken.push(box)
    return true
  }
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = colours.names
  if (zoom < 7.5) {
    context.font = '600 11px "Inter Variable", sans-serif'
    for (const { name, x, y, width } of countries.toSorted((a, b) => b.width - a.width)) {
      const half = context.measureText(name).width / 2 + 4
      if (width * screen.world < half * 1.6) continue
      const [atX, atY] = [screenX(screen, x), screenY(screen, y)]
      if (isFree(atX, atY, half, 9)) context.fillText(name, atX, atY)
    }
  }
  if (zoom < 4) return
  context.font = '11px "Inter Variable", sans-serif'
  const leastPeople = 6_000_000 / 2.6 ** (zoom - 4)
  let drawn = 0
  for (const { name, x, y, people } of towns) {
    if (people < leastPeople || drawn === labelsAtMost) break
    const [atX, atY] = [screenX(screen, x), screenY(screen, y)]
    if (atX < 0 || atY < 0 || atX > screen.width || atY > screen.height) continue
    const half = context.measureText(name).width / 2 + 6
    if (!isFree(atX, atY + 7, half, 13)) continue
    context.beginPath()
    context.arc(atX, atY, 1.8, 0, 2 * Math.PI)
    context.fill()
    context.fillText(name, atX, atY + 10)
    drawn += 1
  }
}
