import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'
import { addressIn } from './geocoder-answer.ts'

const { list, create, change, remove } = api.geocodingProfiles
const westminster = { lat: 51.5034, lng: -0.1276 }

describe.each(enginesOfNight)('geocoding on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let root: Browser
  let service: Server
  let asked: string[]
  let answer: { status: number; body: unknown }

  async function open(mayReachOwnNetwork: boolean): Promise<void> {
    fleet = await createTestFleet(engine, { mayReachOwnNetwork })
    unit = await fleet.unit('LON-01')
    root = await fleet.signedIn('root')
  }
  beforeEach(async () => {
    asked = []
    answer = { status: 200, body: { display_name: '10 Downing Street, London' } }
    service = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(answer.status).end(JSON.stringify(answer.body))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    await fleet.remove()
    service.close()
  })

  const geocoder = () =>
    `http://127.0.0.1:${(service.address() as AddressInfo).port}/reverse?lat={lat}&lon={lng}&key=secret`
  const profile = () => ({
    name: 'Streets',
    inventories: ['north'],
    geocoders: [geocoder(), 'places'],
    accuracies: [50, 10_000],
    refreshIntervals: [30],
    distanceThreshold: 100,
    percentageThreshold: 50,
  })
  const address = () => fleet.core.units.values(unit.id)?.location?.address
  async function isAt(lat: number, lng: number, more: { accuracyM?: number; address?: string } = {}) {
    const location = { lat, lng, address: '', ...more }
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs(), { location })] })
    await flushed(unit.socket)
  }
  /** In Westminster, with ten samples a second: core reads its profiles while they come. */
  async function staysUntil(expected: string): Promise<void> {
    for (let samples = 0; samples < 1000 && address() !== expected; samples++) {
      await isAt(westminster.lat, westminster.lng, { accuracyM: 10 })
      await fleet.pass(100)
    }
    expect(address()).toBe(expected)
  }
  const becomes = async (expected: string) => {
    await until(() => address() === expected)
    expect(address()).toBe(expected)
  }

  it('[UNIT-018] name the place of a position without a request, and leave what a unit says itself', async () => {
    await open(false)
    const olivia = await fleet.signedIn('olivia')
    await isAt(westminster.lat, westminster.lng)
    await becomes('London, United Kingdom')
    const { id } = unit
    expect(await olivia.call(api.units.location, { params: { id } })).toEqual({
      ...westminster,
      address: 'London, United Kingdom',
    })
    // Moved by less than half a kilometre, then to another town, to open country and to the ocean.
    await isAt(51.505, -0.1276)
    expect(address()).toBe('London, United Kingdom')
    await fleet.pass(1000)
    await isAt(48.8566, 2.3522, { accuracyM: 4 })
    await becomes('Paris, France')
    await fleet.pass(1000)
    await isAt(24, 5)
    await until(() => /^Tamanrasset, Algeria \(1\d\d km\)$/.test(address() ?? ''))
    await fleet.pass(1000)
    await isAt(-48.9, -123.4)
    await becomes('')
    await isAt(48.8566, 2.3522, { address: 'Studio 4' })
    expect(address()).toBe('Studio 4')
    expect(asked).toEqual([])
  })

  it('[STAFF-004] ask the geocoders of a profile in their order, by accuracy, distance and interval', async () => {
    await open(true)
    await root.call(create, { body: profile() })
    await fleet.pass(10_000)
    await staysUntil('10 Downing Street, London')
    expect(asked).toEqual(['/reverse?lat=51.5034&lon=-0.1276&key=secret'])
    // Neither a short way nor a little less accuracy is asked about; a longer way is, once the interval is over.
    answer.body = { features: [{ properties: { name: 'Nelson', street: 'The Mall', city: 'London' } }] }
    await isAt(51.504, westminster.lng, { accuracyM: 14 })
    await isAt(51.506, westminster.lng, { accuracyM: 14 })
    expect([asked.length, address()]).toEqual([1, '10 Downing Street, London'])
    await fleet.pass(30_000)
    await isAt(51.506, westminster.lng, { accuracyM: 14 })
    await becomes('Nelson, The Mall, London')
    // Where the position is too vague for the street, the next geocoder is the right one.
    await isAt(51.506, westminster.lng, { accuracyM: 400 })
    await becomes('London, United Kingdom')
    // One that fails is skipped, and queried again after its interval although the unit has not moved.
    answer = { status: 500, body: {} }
    await fleet.pass(30_000)
    await isAt(48.8566, 2.3522, { accuracyM: 10 })
    await becomes('Paris, France')
    answer = { status: 200, body: { features: [{ properties: { label: 'Hôtel de Ville' } }] } }
    await fleet.pass(30_000)
    await isAt(48.8566, 2.3522, { accuracyM: 10 })
    await becomes('Hôtel de Ville')
    expect(asked).toHaveLength(4)
  })

  it('[STAFF-004] ask no address of the own network unless the operator allows it, and take another profile over at once', async () => {
    await open(false)
    const { id } = await root.call(create, { body: profile() })
    await fleet.pass(10_000)
    await staysUntil('London, United Kingdom')
    expect(asked).toEqual([])
    const vague = { geocoders: ['places'], accuracies: [5] }
    await root.call(change, { params: { id }, body: { ...profile(), ...vague } })
    await fleet.pass(10_000)
    await staysUntil('')
  })

  it('[STAFF-004] keep profiles with unique names, one of each customer, and none is removed in use', async () => {
    await open(false)
    const { id } = await root.call(create, { body: profile() })
    expect((await root.call(list, { query: { search: 'STREE' } })).items).toEqual([{ id, ...profile() }])
    expect((await root.call(list, { query: { search: 'roads' } })).total).toBe(0)
    const create2 = (changes: object) =>
      root.call(create, { body: { ...profile(), name: 'Other', inventories: ['south'], ...changes } })
    await expect(create2({ name: 'STREETS' })).rejects.toMatchObject({
      status: 409,
      fields: [fault('name', 'field.notUnique')],
    })
    await expect(create2({ inventories: ['south', 'north'] })).rejects.toMatchObject({
      status: 409,
      fields: [fault('inventories', 'geocoding.customer')],
    })
    await expect(create2({ inventories: ['nowhere'] })).rejects.toMatchObject({ status: 404 })
    for (const [field, changes, message] of [
      ['accuracies', { accuracies: [10] }, english('geocoding.accuracies')],
      ['accuracies.1', { accuracies: [10, -1] }, 'Must be 0 or more'],
      ['geocoders.0', { geocoders: ['https://maps.example/', 'places'] }, english('geocoding.address')],
    ] as const)
      await expect(create2(changes)).rejects.toMatchObject({ status: 400, fields: [{ field, message }] })
    const inUse = { status: 409, message: 'Geocoding profile in use cannot be deleted.' }
    await expect(root.call(remove, { params: { id } })).rejects.toMatchObject(inUse)
    await root.call(change, { params: { id }, body: { ...profile(), inventories: [] } })
    await root.call(remove, { params: { id } })
    expect((await root.call(list, { query: {} })).total).toBe(0)
    const nora = await fleet.signedIn('nora')
    await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ status: 403 })
  })
})

it('reads the address of an answer, whichever kind of service it is', () => {
  const read = (value: unknown) => addressIn(JSON.stringify(value))
  expect(read({ display_name: 'A' })).toBe('A')
  expect(read({ address: 'B' })).toBe('B')
  expect(read({ results: [{ formatted_address: 'C' }] })).toBe('C')
  expect(read({ address: { road: 'The Mall' }, display_name: 'D' })).toBe('D')
  const parts = { name: 'The Mall', street: 'The Mall', housenumber: '1', city: 'London', country: 'UK' }
  expect(read({ features: [{ properties: parts }] })).toBe('The Mall, The Mall 1, London, UK')
  expect([addressIn('<html>'), read({ error: 'Unable to geocode' }), read({ features: [] })]).toEqual(
    Array(3).fill(undefined),
  )
  expect(read({ display_name: 'x'.repeat(300) })).toHaveLength(255)
})
