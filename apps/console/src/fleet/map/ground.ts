// Fetches the built-in ground: outlines of Natural Earth (public domain) and towns of GeoNames (CC BY 4.0). Both are files
// of this site and are loaded with the map alone.
import atlasUrl from 'world-atlas/countries-50m.json?url'
import type { Ground, Town } from './base-map.ts'
import { xOf, yOf } from './mercator.ts'
import { type Atlas, countriesOf } from './world.ts'

let loading: Promise<Ground> | undefined

/** A failure is tried again by the next call. */
export function loadGround(): Promise<Ground> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Ground> {
  const [atlas, { default: towns }] = await Promise.all([
    fetch(atlasUrl).then(async (answer) => {
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
      return (await answer.json()) as Atlas
    }),
    import('virtual:towns'),
  ])
  return {
    countries: countriesOf(atlas),
    towns: towns.map(([name, lat, lng, people]): Town => ({ name, people, x: xOf(lng), y: yOf(lat) })),
  }
}
