import { UnitSample } from '@backhaul/contract/gateway/units'
import { Battery } from '@backhaul/contract/nouns/battery'
import { Location } from '@backhaul/contract/nouns/units'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleAfter } from './kept-sample.ts'

const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const link = fc.record(
  {
    port: fc.integer({ min: 0, max: 63 }),
    up: fc.boolean(),
    kbps: amount,
    downKbps: amount,
    rttMs: orNull(amount),
    lossPercent: fc.integer({ min: 0, max: 100 }),
    rtxPercent: fc.integer({ min: 0, max: 100 }),
    capacityKbps: orNull(amount),
    signal: fc.dictionary(fc.constantFrom('rssi', 'rsrp'), amount, { noNullPrototype: true }),
  },
  { requiredKeys: ['port', 'up', 'rttMs', 'kbps'] },
)
const battery = fc.record({ connected: fc.boolean(), charging: fc.boolean(), percentage: fc.constant(50) })
const location = fc.record(
  { lat: fc.constantFrom(1, 2), lng: fc.constant(3), address: fc.constant('') },
  { requiredKeys: ['lat', 'lng'] },
)
const sample = fc
  .record(
    {
      ts: amount,
      links: fc.array(link, { minLength: 1, maxLength: 2 }),
      encoderKbps: orNull(amount),
      capacityKbps: orNull(amount),
      battery: orNull(battery),
      location: orNull(location),
    },
    { requiredKeys: ['ts', 'links'] },
  )
  .map((one) => UnitSample.parse(one))

it('keeps every field of the newest sample, and changes no battery or position that others refer to', () => {
  fc.assert(
    fc.property(fc.array(sample, { minLength: 2, maxLength: 6 }), (samples) => {
      let kept: UnitSample | null = null
      for (const newest of samples) {
        const before = kept && { battery: kept.battery, location: kept.location }
        const written = JSON.stringify(before)
        kept = sampleAfter(kept, structuredClone(newest))
        expect(kept).toEqual(newest)
        expect(JSON.stringify(before)).toBe(written)
      }
    }),
  )
})

it('forgets nothing before the first, or when there is none', () => {
  const [one] = fc.sample(sample, 1) as [UnitSample]
  expect(sampleAfter(null, one)).toEqual(one)
  expect(sampleAfter(one, null)).toBeNull()
})

it.each([
  ['battery', Battery, { connected: true, charging: true, percentage: 50 }],
  ['location', Location, { lat: 1, lng: 2, address: 'A', accuracyM: 3 }],
] as const)('notices a change of each field of the %s', (name, { shape }, value) => {
  const { links, ...rest } = fc.sample(sample, 1)[0] as UnitSample
  const withValue = (given: object) => structuredClone({ ...rest, links, [name]: given }) as UnitSample
  expect(Object.keys(value)).toEqual(Object.keys(shape))
  for (const [field, before] of Object.entries(value)) {
    const other = { ...value, [field]: typeof before === 'boolean' ? !before : `${before}`.length + 7 }
    expect(sampleAfter(withValue(value), withValue(other))?.[name]).toEqual(other)
  }
})
