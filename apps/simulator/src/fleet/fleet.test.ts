import { ChannelSlot, MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import { Name } from '@backhaul/contract/nouns/names'
import { isUnitProduct, productOf, products } from '@backhaul/contract/nouns/products'
import { expect, test } from 'vitest'
import { planFleet } from './fleet.ts'

test('the same seed plans the same fleet, another seed another', () => {
  const fleet = planFleet({ seed: 7, units: 100, servers: 6 })
  expect(planFleet({ seed: 7, units: 100, servers: 6 })).toEqual(fleet)
  expect(planFleet({ seed: 8, units: 100, servers: 6 })).not.toEqual(fleet)
})

test('a larger fleet begins with the same units, so that growing keeps their identities', () => {
  const { units } = planFleet({ seed: 1, units: 50, servers: 6 })
  expect(planFleet({ seed: 1, units: 500, servers: 6 }).units.slice(0, 50)).toEqual(units)
})

test('forty units are of every product that is a unit', () => {
  const { units } = planFleet({ seed: 3, units: 40, servers: 6 })
  const wanted = products.filter(isUnitProduct).map(({ name }) => name)
  expect(new Set(units.map(({ product }) => product.name))).toEqual(new Set(wanted))
})

test('every unit is of a listed product, has a valid and single name and serial number, and links of two kinds', () => {
  const { units } = planFleet({ seed: 1, units: 3000, servers: 6 })
  expect(new Set(units.map(({ name }) => name)).size).toBe(3000)
  expect(new Set(units.map(({ serialNumber }) => serialNumber)).size).toBe(3000)
  for (const { name, product, links } of units) {
    expect(Name.safeParse(name).success).toBe(true)
    expect(products).toContain(productOf(product.name))
    expect(new Set(links.map(({ kind }) => kind)).size).toBeGreaterThan(1)
    expect(links.filter(({ kind }) => kind === 'modem').every(({ carrier }) => carrier)).toBe(true)
  }
  expect(units.map(({ name }) => name)).toContain('LU600-MTL-03')
})

test.for([
  [1, 6],
  [200, 6],
  [3000, 6],
  [15_000, 6],
])(
  '%i units have servers with channels for an election night within the limits of the gateway',
  ([units = 0]) => {
    const fleet = planFleet({ seed: 1, units, servers: 6 })
    expect(fleet.servers.length).toBeGreaterThanOrEqual(6)
    for (const { channelNames, name } of fleet.servers) {
      expect(channelNames.length).toBeLessThanOrEqual(63)
      expect(Name.safeParse(name).success).toBe(true)
      const slots = channelNames.map((channel, index) => ({
        slot: String(index + 1),
        name: channel,
        inputType: null,
      }))
      expect(ChannelSlot.array().safeParse(slots).success).toBe(true)
      expect(JSON.stringify(slots).length).toBeLessThan(MAX_FRAME_BYTES)
    }
    expect(new Set(fleet.servers.map(({ host }) => host)).size).toBe(fleet.servers.length)
    expect(new Set(fleet.servers.flatMap(({ channelNames }) => channelNames)).size).toBeGreaterThanOrEqual(
      0.6 * units,
    )
  },
)
