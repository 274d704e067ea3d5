import { describe, expect, it } from 'vitest'
import { builtInRules, distanceM, GeocodingProfile, geocodersFor, wantsNewAddress } from './geocoding.ts'

const profile = {
  name: 'Streets',
  inventories: ['north'],
  geocoders: ['https://maps.north.example/reverse?lat={lat}&lon={lng}', 'places'],
  accuracies: [50, 5000],
  refreshIntervals: [30],
  distanceThreshold: 100,
  percentageThreshold: 50,
}
const faultsOf = (changes: object) =>
  GeocodingProfile.safeParse({ ...profile, ...changes }).error?.issues.map(({ path, message }) => [
    path.join('.'),
    message,
  ]) ?? []

describe('[STAFF-004] a geocoding profile', () => {
  it('takes geocoders, and one accuracy of each that is not negative', () => {
    expect(GeocodingProfile.parse(profile)).toEqual(profile)
    expect(faultsOf({ accuracies: [50] })).toEqual([['accuracies', 'geocoding.accuracies']])
    expect(faultsOf({ accuracies: [50, 5000, 1] })).toEqual([['accuracies', 'geocoding.accuracies']])
    expect(faultsOf({ accuracies: [-1, 5000] })).toEqual([['accuracies.0', expect.any(String)]])
    for (const address of ['https://maps.north.example/', 'ftp://x/{lat}/{lng}', '{lat}{lng}', 'cities'])
      expect(faultsOf({ geocoders: [address, 'places'] })).toEqual([['geocoders.0', 'geocoding.address']])
    expect(faultsOf({ refreshIntervals: [0] })).toEqual([['refreshIntervals.0', expect.any(String)]])
    expect(faultsOf({ distanceThreshold: -1 })).toEqual([['distanceThreshold', expect.any(String)]])
    expect(faultsOf({ percentageThreshold: -1 })).toEqual([['percentageThreshold', expect.any(String)]])
  })

  it('requests again after its distance, or when the accuracy changed by its share', () => {
    const here = { lat: 51.5, lng: -0.12, accuracyM: 10 }
    expect(wantsNewAddress(profile, here, here)).toBe(false)
    expect(wantsNewAddress(profile, here, { ...here, lat: 51.5008 })).toBe(false)
    expect(wantsNewAddress(profile, here, { ...here, lat: 51.501 })).toBe(true)
    expect(wantsNewAddress(profile, here, { ...here, accuracyM: 14 })).toBe(false)
    expect(wantsNewAddress(profile, here, { ...here, accuracyM: 16 })).toBe(true)
    expect(wantsNewAddress(profile, here, { ...here, accuracyM: 4 })).toBe(true)
    expect(wantsNewAddress(profile, here, { lat: 51.5, lng: -0.12 })).toBe(false)
  })

  it('names the geocoders that suit the accuracy of a position, each with its interval', () => {
    const namesAt = (accuracyM?: number) => geocodersFor(profile, { lat: 0, lng: 0, accuracyM })
    expect(namesAt().map(({ geocoder }) => geocoder)).toEqual(profile.geocoders)
    expect(namesAt(200)).toEqual([{ geocoder: 'places', intervalMs: 30_000 }])
    expect(namesAt(20_000)).toEqual([])
    expect(geocodersFor(builtInRules, { lat: 0, lng: 0 })).toEqual([{ geocoder: 'places', intervalMs: 1000 }])
  })
})

it('measures along the surface of the earth, across the date line too', () => {
  expect(distanceM({ lat: 51.5074, lng: -0.1278 }, { lat: 48.8566, lng: 2.3522 }) / 1000).toBeCloseTo(
    343.6,
    0,
  )
  expect(distanceM({ lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 }) / 1000).toBeCloseTo(22.24, 1)
})
