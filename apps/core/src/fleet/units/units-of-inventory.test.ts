import { api } from '@backhaul/contract/api/api'
import { pathOf, REST_BASE } from '@backhaul/contract/define/endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.inventories

describe.each(engines)('the objects of a customer, on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let olivia: Browser
  let server: TestDevice
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    const leeds = { registrationKey: 'key-leeds' }
    await fleet.unit('alpha', { product: 'LU-800' })
    await fleet.unit('Bravo', leeds)
    const charlie = await fleet.unit('charlie')
    await fleet.unit('delta', { registrationKey: 'key-cairo' })
    server = await fleet.server('MCR', 3)
    charlie.report({ applications: { audioRoom: { state: 'on' } } as never })
    await until(() => 'audioRoom' in (fleet.core.units.values(charlie.id)?.applications ?? {}))
    nora = await fleet.signedIn('nora')
    olivia = await fleet.signedIn('olivia')
  })
  afterAll(() => fleet.remove())

  const params = { id: 'north' }
  const unitNames = async (query: object = {}, by = nora) => {
    const { items, total } = await by.call(calls.units, { params, query: query as never })
    return [items.map(({ name }) => name), total]
  }
  const channelNames = async (query: object = {}) => {
    const { items, total } = await nora.call(calls.channels, { params, query })
    return [items.map(({ name }) => name), total]
  }

  it('[INV-003] lists units by name, page by page, searched and sorted', async () => {
    expect(await unitNames()).toEqual([['alpha', 'Bravo', 'charlie'], 3])
    expect(await unitNames({ limit: 1, offset: 1 })).toEqual([['Bravo'], 3])
    expect(await unitNames({ search: 'A', sort: 'name,desc' })).toEqual([['charlie', 'Bravo', 'alpha'], 3])
    expect(await unitNames({ search: 'RAV' })).toEqual([['Bravo'], 1])
    expect(await unitNames({ sort: 'type' })).toEqual([['Bravo', 'charlie', 'alpha'], 3])
    expect(await unitNames({ offset: 9 })).toEqual([[], 3])
    await expect(unitNames({ sort: 'colour' })).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'sort', message: 'Must be one of name, serialNumber, type, swVersion, status' }],
    })
  })

  it('[INV-003] lists units of a major version, without some products, in an audio room or not', async () => {
    expect(await unitNames({ majorSwVersion: 10 })).toEqual([['alpha', 'Bravo', 'charlie'], 3])
    expect(await unitNames({ majorSwVersion: 1 })).toEqual([[], 0])
    expect(await unitNames({ excludeProducts: 'LU-800' })).toEqual([['Bravo', 'charlie'], 2])
    expect(await unitNames({ excludeProducts: 'LU-800, LU-600' })).toEqual([[], 0])
    expect(await unitNames({ audioRoom: 'true' })).toEqual([['charlie'], 1])
    expect(await unitNames({ audioRoom: 'false' })).toEqual([['alpha', 'Bravo'], 2])
  })

  it('[INV-003] lists channels the same way', async () => {
    expect(await channelNames()).toEqual([['MCR-1', 'MCR-2', 'MCR-3'], 3])
    expect(await channelNames({ limit: 1, offset: 1, sort: 'name,desc' })).toEqual([['MCR-2'], 3])
    expect(await channelNames({ search: 'cr-3' })).toEqual([['MCR-3'], 1])
  })

  it('[INV-003] shows users only their groups, and nothing of another customer', async () => {
    expect(await unitNames({}, olivia)).toEqual([['alpha', 'charlie'], 2])
    const sam = await fleet.signedIn('sam')
    for (const call of [calls.units, calls.channels])
      await expect(sam.call(call, { params, query: {} })).rejects.toMatchObject({ status: 404 })
  })

  it('[INV-003] lists what a service can be assigned to, at the path with the comma', async () => {
    expect(pathOf(calls.serviceable, params)).toBe(
      `${REST_BASE}/v2/admin/inventories/north/devices,serviceable`,
    )
    const devices = await nora.call(calls.serviceable, { params })
    expect(devices.map(({ name, kind }) => [name, kind])).toEqual([
      ['alpha', 'unit'],
      ['Bravo', 'unit'],
      ['charlie', 'unit'],
      ['MCR', 'server'],
    ])
    expect(devices[3]).toMatchObject({ uid: server.id, type: 'MMH Server', serialNumber: 'sn-MCR' })
  })
})
