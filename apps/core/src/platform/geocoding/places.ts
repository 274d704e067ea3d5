// The names of places that core brings with it: the nearest town of GeoNames (CC BY 4.0), without any request.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { distanceM, type Position } from '@backhaul/contract/nouns/geocoding'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import type { PlacesData } from './places-data.ts'

/** "" far from every town. */
type NameOfPlace = (position: Position) => string

/** Within it a position belongs to its town; further away the distance is named. */
const townM = 15_000
const farthestM = 200_000

let loading: Promise<NameOfPlace> | undefined

/** Reads the towns in a thread of its own; about half a second of one core, once in a process. */
export function loadPlaces(): Promise<NameOfPlace> {
  loading ??= read().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function read(): Promise<NameOfPlace> {
  const worker = new Worker(new URL('./places-worker.ts', import.meta.url), { execArgv: [] })
  worker.unref()
  const [data] = (await once(worker, 'message')) as [PlacesData]
  await worker.terminate()
  return namesOf(data)
}

function namesOf(data: PlacesData): NameOfPlace {
  const index = KDBush.from(data.index)
  const at = new Float32Array(data.at)
  const names = data.names.split('\n')
  const countryNames = new Intl.DisplayNames('en', { type: 'region' })
  return (position) => {
    const [town] = around(index, position.lng, position.lat, 1, farthestM / 1000) as number[]
    if (town === undefined) return ''
    const awayM = distanceM(position, { lng: at[2 * town] ?? 0, lat: at[2 * town + 1] ?? 0 })
    const country = countryNames.of(data.countries.slice(2 * town, 2 * town + 2)) ?? ''
    const name = `${names[town]}, ${country}`
    return awayM <= townM ? name : `${name} (${Math.round(awayM / 1000)} km)`
  }
}
