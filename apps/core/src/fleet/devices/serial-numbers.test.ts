// One machine is one device of one customer: its serial number joins no second one, and cannot be used by another machine.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'

const { deviceAdministration: calls } = api

describe.each(engines)('serial numbers on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  const known = (kind: 'unit' | 'server') =>
    fleet.core.devices.all(kind).map(({ inventoryId, serialNumber }) => [inventoryId, serialNumber])

  async function attempt(kind: 'unit' | 'server', serialNumber: string, registrationKey: string) {
    const device = await fleet.dial()
    const identity = {
      kind,
      product: kind === 'unit' ? 'LU-600' : 'MMH Server',
      serialNumber,
      name: 'Borrowed',
    }
    device.send({ type: 'register', protocol: 1, ...identity, swVersion: '10.1.0', registrationKey })
    return device
  }

  async function refusal(device: TestDevice): Promise<string> {
    expect(await device.gone()).toBe(4403)
    return device.newest('refused')?.message ?? ''
  }

  const elsewhere =
    'serialNumber: Another customer has the device with this serial number; it can join here after it was deleted there.'

  it('join no second customer, by key or by code, until the device is deleted at the first', async () => {
    const unit = await fleet.unit('U-1', { serialNumber: 'sn-1' })
    await fleet.server('MCR', 1, { serialNumber: 'sn-1' })
    for (const kind of ['unit', 'server'] as const)
      expect(await refusal(await attempt(kind, 'sn-1', 'key-cairo'))).toBe(elsewhere)
    const sam = await fleet.signedIn('sam')
    const { code } = await sam.call(api.groups.pairingCode, { params: { id: 'cairo' } })
    expect(await refusal(await attempt('unit', 'sn-1', code))).toBe(elsewhere)

    unit.socket.close()
    await unit.gone()
    await fleet.restart()
    expect(await refusal(await attempt('unit', 'sn-1', 'key-cairo'))).toBe(elsewhere)
    const nora = await fleet.signedIn('nora')
    await nora.call(calls.deregisterUnit, { params: { id: unit.id } })
    expect(await refusal(await attempt('unit', 'sn-1', 'key-cairo'))).toBe(elsewhere)
    expect([known('unit'), known('server')]).toEqual([[['north', 'sn-1']], [['north', 'sn-1']]])

    await nora.call(calls.removeUnit, { params: { id: unit.id } })
    // The refused attempt did not use the code.
    expect((await fleet.unit('U-1', { serialNumber: 'sn-1', registrationKey: code })).id).not.toBe(unit.id)
    expect(known('unit')).toEqual([['south', 'sn-1']])
  })

  it('admit exactly one of two machines that register at the same time at two customers', async () => {
    const both = await Promise.all(['key-london', 'key-cairo'].map((key) => attempt('unit', 'sn-1', key)))
    const answers = await Promise.all(
      both.map((device) => Promise.race([device.next('registered'), device.next('refused')])),
    )
    expect(answers.map(({ type }) => type).toSorted()).toEqual(['refused', 'registered'])
    expect(known('unit')).toHaveLength(1)
  })

  it('are not reserved by the record of a machine that never joined', async () => {
    const root = await fleet.signedIn('root')
    const body = { name: 'Van-7', productType: 'LU-600', serialNumber: 'sn-1', inventory: 'south' } as const
    await root.call(calls.createUnit, { body })
    await fleet.unit('U-1', { serialNumber: 'sn-1' })
    expect(known('unit')).toEqual([
      ['south', 'sn-1'],
      ['north', 'sn-1'],
    ])
  })

  it('change when the machine reports another one, unless that is the number of another device', async () => {
    const first = await fleet.unit('U-1', { serialNumber: 'sn-1' })
    const second = await fleet.unit('U-2', { serialNumber: 'sn-2' })
    const now = () => known('unit').map(([, serialNumber]) => serialNumber)
    await (await fleet.again(second, { serialNumber: 'sn-1' })).greet()
    await (await fleet.again(first, { serialNumber: 'sn-3' })).greet()
    await until(() => now().includes('sn-3'))
    expect(now()).toEqual(['sn-3', 'sn-2'])
  })
})
