/** Addresses for positions: which geocoders serve the units of which customers, and when (EN-GEO rows, GAP-SCR-13). */
import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import type { Location } from './units.ts'

/** The names of places that core brings with it; nothing is sent anywhere. */
export const BUILT_IN_GEOCODER = 'places'
const GEOCODERS_MAX = 8

const isGeocoder = (text: string): boolean =>
  text === BUILT_IN_GEOCODER ||
  (/^https?:\/\/[^\s/?#{}]+[/?]\S*$/.test(text) && text.includes('{lat}') && text.includes('{lng}'))

const Geocoder = z
  .string()
  .trim()
  .max(1024)
  .refine(isGeocoder, { message: rule('geocoding.address') })

const figure = (least: number, most: number) => z.number().min(least).max(most)

export const GeocodingProfile = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(255, { message: rule('name.tooLong') }),
    inventories: z
      .array(z.string().min(1).max(64))
      .max(1000)
      .describe('Customers whose units get their addresses by it; each has one profile at most'),
    geocoders: z
      .array(Geocoder)
      .min(1)
      .max(GEOCODERS_MAX)
      .describe(
        `In the order in which they are queried: web addresses with {lat} and {lng}, or ${BUILT_IN_GEOCODER} for the built-in names`,
      ),
    accuracies: z
      .array(figure(0, 1_000_000))
      .max(GEOCODERS_MAX)
      .describe('Metres, one of each geocoder: it is used for positions that are at least so accurate'),
    refreshIntervals: z
      .array(figure(1, 86_400))
      .min(1)
      .max(GEOCODERS_MAX)
      .describe('Seconds between two requests for one unit, of each geocoder; the last holds for the rest'),
    distanceThreshold: figure(0, 1_000_000).describe('Metres after which a moved unit gets a new address'),
    percentageThreshold: figure(0, 10_000).describe(
      'Percent by which the accuracy of its position must change for the same',
    ),
  })
  .refine(({ geocoders, accuracies }) => accuracies.length === geocoders.length, {
    path: ['accuracies'],
    message: rule('geocoding.accuracies'),
  })
export type GeocodingProfile = z.infer<typeof GeocodingProfile>

export type GeocodingRules = Pick<
  GeocodingProfile,
  'geocoders' | 'accuracies' | 'refreshIntervals' | 'distanceThreshold' | 'percentageThreshold'
>

/** The rules for units of customers without a profile. */
export const builtInRules: GeocodingRules = {
  geocoders: [BUILT_IN_GEOCODER],
  accuracies: [1_000_000],
  refreshIntervals: [1],
  distanceThreshold: 500,
  percentageThreshold: 10_000,
}

export type Position = Pick<Location, 'lat' | 'lng' | 'accuracyM'>

const radians = Math.PI / 180
const metresPerDegree = 111_195

/** Metres along the surface of the earth. */
export function distanceM(a: Position, b: Position): number {
  const [from, to] = [a.lat * radians, b.lat * radians]
  const half =
    Math.sin((to - from) / 2) ** 2 +
    Math.cos(from) * Math.cos(to) * Math.sin(((b.lng - a.lng) * radians) / 2) ** 2
  return (2 * metresPerDegree * Math.asin(Math.min(1, Math.sqrt(half)))) / radians
}

/** Computed for every unit each second, which mostly has hardly moved: no distance exceeds its degrees north and east. */
function isFurther(before: Position, now: Position, thresholdM: number): boolean {
  const degrees = Math.abs(now.lat - before.lat) + Math.abs(now.lng - before.lng)
  return degrees * metresPerDegree > thresholdM && distanceM(before, now) > thresholdM
}

/** Whether a position is so different from the one that has an address that it gets another. */
export function wantsNewAddress(rules: GeocodingRules, before: Position, now: Position): boolean {
  if (isFurther(before, now, rules.distanceThreshold)) return true
  const [was, is] = [before.accuracyM, now.accuracyM]
  if (was === is || was === undefined || is === undefined) return false
  return was === 0 || (Math.abs(is - was) / was) * 100 > rules.percentageThreshold
}

/** The geocoders that suit a position, in their order; one whose accuracy is not known suits all. */
export const geocodersFor = (
  { geocoders, accuracies, refreshIntervals }: GeocodingRules,
  { accuracyM = 0 }: Position,
): { geocoder: string; intervalMs: number }[] =>
  geocoders.flatMap((geocoder, at) =>
    accuracyM <= (accuracies[at] ?? 0)
      ? [{ geocoder, intervalMs: (refreshIntervals[at] ?? refreshIntervals.at(-1) ?? 1) * 1000 }]
      : [],
  )
