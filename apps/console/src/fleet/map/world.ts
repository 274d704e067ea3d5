// The outlines of the countries of Natural Earth, ready to be drawn: rings on the plane of the map.
import type { MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { xOf, yOf } from './mercator.ts'

export interface Ring {
  /** x and y in turn, from 0 to 1; a ring that crosses the date line continues beyond. */
  readonly points: Float32Array
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
}

export interface Country {
  readonly name: string
  /** Place of its name: in the middle of its largest part. */
  readonly x: number
  readonly y: number
  /** Width of its largest part, on the plane. */
  readonly width: number
  readonly rings: readonly Ring[]
}

export type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>

export function countriesOf(atlas: Atlas): Country[] {
  return feature(atlas, atlas.objects.countries).features.flatMap(({ geometry, properties }) => {
    const rings = polygonsOf(geometry as Polygon | MultiPolygon).map(ringOf)
    const largest = rings.toSorted((a, b) => areaOf(b) - areaOf(a))[0]
    if (!largest) return []
    return [{ name: properties.name, ...middleOf(largest), width: largest.maxX - largest.minX, rings }]
  })
}

const polygonsOf = (geometry: Polygon | MultiPolygon): Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()

/** Steps over the date line continue in the same direction; a ring round a pole is closed along it. */
function ringOf(positions: readonly Position[]): Ring {
  const points: number[] = []
  let turns = 0
  let before: number | undefined
  for (const [lng = 0, lat = 0] of positions) {
    if (before !== undefined && Math.abs(lng - before) > 180) turns += lng < before ? 1 : -1
    before = lng
    points.push(xOf(lng + 360 * turns), yOf(lat))
  }
  if (turns !== 0) {
    const pole = (points[1] ?? 0) > 0.5 ? 1 : 0
    points.push(points.at(-2) ?? 0, pole, points[0] ?? 0, pole)
  }
  const xs = points.filter((_, at) => at % 2 === 0)
  const ys = points.filter((_, at) => at % 2 === 1)
  return {
    points: Float32Array.from(points),
    minX: Math.min(...xs),
    maxX: Math.max(...xs),
    minY: Math.min(...ys),
    maxY: Math.max(...ys),
  }
}

const areaOf = (ring: Ring): number => (ring.maxX - ring.minX) * (ring.maxY - ring.minY)

/** The centre of gravity. */
function middleOf({ points }: Ring): { x: number; y: number } {
  let [area, x, y] = [0, 0, 0]
  for (let at = 0; at < points.length; at += 2) {
    const [ax = 0, ay = 0] = [points[at], points[at + 1]]
    const [bx = 0, by = 0] = [points[(at + 2) % points.length], points[(at + 3) % points.length]]
    const cross = ax * by - bx * ay
    area += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return area === 0 ? { x: points[0] ?? 0, y: points[1] ?? 0 } : { x: x / (3 * area), y: y / (3 * area) }
}
