/** A crew's day: from the base by car along the streets to a place, there for a while, and back. */
import type { Location } from '@backhaul/contract/nouns/units'
import { type City, moved, type Point } from '../fleet/places.ts'
import type { Random } from '../random.ts'

/**
 * 1. base: parked in the yard, on mains and cable; then 2;
 * 2. leaving: drives to the next place; then 3;
 * 3. place: parked where the story is; while the unit is live it remains there, unless this crew drives live; then 4;
 * 4. returning: drives to the base; then 1.
 */
type Phase = 'base' | 'leaving' | 'place' | 'returning'

const nextPhase: Readonly<Record<Phase, Phase>> = {
  base: 'leaving',
  leaving: 'place',
  place: 'returning',
  returning: 'base',
}
const staysS: Readonly<Record<'base' | 'place', readonly [number, number]>> = {
  base: [15 * 60, 90 * 60],
  place: [40 * 60, 150 * 60],
}

/** A corner of the way, in metres east and north of the city's centre, and the street that leads to it. */
interface Corner {
  east: number
  north: number
  street: string
}

export class CrewModel {
  #phase: Phase
  #leftS = 0
  #way: Corner[] = []
  #wayM = 0
  #doneM = 0
  readonly #speedMs: number
  readonly #drivesLive: boolean
  readonly #city: City
  readonly #yard: Corner

  constructor(city: City, isSport: boolean, random: Random) {
    this.#city = city
    this.#speedMs = random.between(7, 14)
    this.#drivesLive = random.chance(isSport ? 0.15 : 0.08)
    this.#yard = cornerAt(city, random.between(-2500, 2500), random.between(-2500, 2500), random)
    this.#phase = random.weighted(
      [
        ['base', 30],
        ['place', 55],
        ['leaving', 9],
        ['returning', 6],
      ],
      'place',
    )
    const place = this.#somePlace(isSport, random)
    this.#way = wayBetween(this.#yard, place, city, random)
    this.#wayM = lengthOf(this.#way)
    const done = { base: 0, leaving: 0.4, place: 1, returning: 0.5 }[this.#phase]
    this.#doneM = this.#wayM * done
    if (this.#phase === 'returning') this.#way.reverse()
    const stay = staysS[this.#phase === 'base' ? 'base' : 'place']
    this.#leftS = random.between(0, stay[1])
  }

  get isDriving(): boolean {
    return this.#phase === 'leaving' || this.#phase === 'returning'
  }

  get isAtBase(): boolean {
    return this.#phase === 'base'
  }

  step(seconds: number, isLive: boolean, isSport: boolean, random: Random): void {
    if (isLive && !this.#drivesLive) return
    if (this.isDriving) {
      this.#doneM += this.#speedMs * seconds
      if (this.#doneM < this.#wayM) return
      this.#doneM = this.#wayM
    } else {
      this.#leftS -= seconds
      if (this.#leftS > 0) return
    }
    this.#enter(nextPhase[this.#phase], isSport, random)
  }

  #enter(phase: Phase, isSport: boolean, random: Random): void {
    this.#phase = phase
    if (phase === 'base' || phase === 'place') {
      this.#leftS = random.between(...staysS[phase])
      return
    }
    if (phase === 'leaving') {
      this.#way = wayBetween(this.#yard, this.#somePlace(isSport, random), this.#city, random)
    } else this.#way.reverse()
    this.#wayM = lengthOf(this.#way)
    this.#doneM = 0
  }

  #somePlace(isSport: boolean, random: Random): Corner {
    if (!random.chance(isSport ? 0.6 : 0.06))
      return cornerAt(this.#city, random.between(-5000, 5000), random.between(-5000, 5000), random)
    const { centre, stadium } = this.#city
    const east = (stadium.lng - centre.lng) * 111_320 * Math.cos((centre.lat * Math.PI) / 180)
    const north = (stadium.lat - centre.lat) * 111_320
    return {
      east: east + random.between(-250, 250),
      north: north + random.between(-250, 250),
      street: 'Stadium',
    }
  }

  location(): Location {
    const { point, street } = this.#here()
    return {
      lat: Math.round(point.lat * 1e5) / 1e5,
      lng: Math.round(point.lng * 1e5) / 1e5,
      address: `${street}, ${this.#city.name}`,
    }
  }

  #here(): { point: Point; street: string } {
    let leftM = this.#phase === 'base' ? 0 : this.#doneM
    let from = this.#phase === 'base' ? this.#yard : (this.#way[0] ?? this.#yard)
    const corners = this.#phase === 'base' ? [] : this.#way.slice(1)
    for (const to of corners) {
      const lengthM = Math.hypot(to.east - from.east, to.north - from.north)
      if (leftM < lengthM) {
        const part = leftM / lengthM
        const east = from.east + (to.east - from.east) * part
        const north = from.north + (to.north - from.north) * part
        return { point: moved(this.#city.centre, east, north), street: to.street }
      }
      leftM -= lengthM
      from = to
    }
    return { point: moved(this.#city.centre, from.east, from.north), street: from.street }
  }
}

const cornerAt = ({ streets }: City, east: number, north: number, random: Random): Corner => ({
  east,
  north,
  street: random.pick(streets),
})

/** Turns at right angles of the city's grid, two to four times. */
function wayBetween(from: Corner, to: Corner, city: City, random: Random): Corner[] {
  const turn = (city.gridDegrees * Math.PI) / 180
  const along = { east: Math.cos(turn), north: Math.sin(turn) }
  const across = { east: -along.north, north: along.east }
  const [east, north] = [to.east - from.east, to.north - from.north]
  const alongM = east * along.east + north * along.north
  const acrossM = east * across.east + north * across.north
  const first = random.between(0.2, 0.8)
  const steps: [number, number][] = [
    [alongM * first, 0],
    [0, acrossM],
    [alongM * (1 - first), 0],
  ]
  const way = [from]
  let here = from
  for (const [a, b] of steps) {
    const next = cornerAt(
      city,
      here.east + a * along.east + b * across.east,
      here.north + a * along.north + b * across.north,
      random,
    )
    way.push(next)
    here = next
  }
  here.street = to.street
  return way
}

function lengthOf(way: readonly Corner[]): number {
  return way.reduce((sum, corner, index) => {
    const before = way[index - 1]
    return before ? sum + Math.hypot(corner.east - before.east, corner.north - before.north) : 0
  }, 0)
}
