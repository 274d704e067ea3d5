// The address in what a geocoding service answers: Nominatim, Photon, Pelias, and those that answer like one of them.
import { z } from 'zod'

const longest = 255
const Text = z.string().trim().min(1)

const readers = [
  z.looseObject({ display_name: Text }).transform((found) => found.display_name),
  z.looseObject({ address: Text }).transform((found) => found.address),
  z
    .looseObject({ results: z.array(z.looseObject({ formatted_address: Text })).min(1) })
    .transform(({ results }) => results[0]?.formatted_address ?? ''),
  z
    .looseObject({
      features: z.array(z.looseObject({ properties: z.looseObject({ label: Text }) })).min(1),
    })
    .transform(({ features }) => features[0]?.properties.label ?? ''),
  z
    .looseObject({
      features: z.array(z.looseObject({ properties: z.record(z.string(), z.unknown()) })).min(1),
    })
    .transform(({ features }) => inParts(features[0]?.properties ?? {})),
] as const

/** Photon gives the parts of an address; a name that equals that of the street is not repeated. */
function inParts(properties: Readonly<Record<string, unknown>>): string {
  const part = (name: string) => (typeof properties[name] === 'string' ? String(properties[name]).trim() : '')
  const street = [part('street'), part('housenumber')].filter(Boolean).join(' ')
  return [...new Set([part('name'), street, part('city'), part('country')])].filter(Boolean).join(', ')
}

/** undefined: there is no address in it. */
export function addressIn(answer: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(answer)
  } catch {
    return undefined
  }
  for (const reader of readers) {
    const { data } = reader.safeParse(value)
    if (data) return data.slice(0, longest)
  }
  return undefined
}
