import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.linkExtenders

describe.each(enginesOfNight)('link extenders on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let nora: Browser
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-1')
    unit.report({ capabilities: { xtend: true }, extenders: [] })
    await until(() => known().capabilities.xtend === true)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
  })
  afterEach(() => fleet.remove())

  const known = () => {
    const values = fleet.core.units.values(unit.id)
    if (!values) throw new Error('The unit is not known')
    return values
  }
  const of = (id = unit.id) => ({ params: { id } })
  const list = (id = unit.id, browser = nora) => browser.call(calls.ofUnit, of(id))
  const pair = (serialNumber: string, id = unit.id) =>
    nora.call(calls.pair, { ...of(id), body: { serialNumber } })
  const remove = (serial: string) => nora.call(calls.remove, { params: { id: unit.id, serial } })
  const setSla = (sla: boolean, browser = root) =>
    browser.call(api.deviceAdministration.changeUnit, { ...of(), body: { sla } })
  const wantedExtenders = (serials: readonly string[]) =>
    unit.next('wanted', ({ state }) => state.extenders?.join() === serials.join())

  it('[SRV-010] pairs extenders by serial number, informs the unit, and shows its report of each', async () => {
    expect(await list()).toEqual([])
    expect(await pair(' LX-1 ')).toMatchObject([
      { serialNumber: 'LX-1', state: 'searching', pairedBy: 'nora' },
    ])
    await wantedExtenders(['LX-1'])
    unit.report({ extenders: [{ serialNumber: 'LX-1', connected: true }] })
    await until(() => fleet.core.units.memory(unit.id)?.actual.extenders?.[0]?.connected === true)
    expect(await list()).toMatchObject([{ serialNumber: 'LX-1', state: 'connected' }])
    fleet.clock.advance(1000)
    await pair('LX-2')
    await wantedExtenders(['LX-1', 'LX-2'])
    const [left, ...none] = await remove('LX-1')
    expect([left?.serialNumber, none]).toEqual(['LX-2', []])
    await wantedExtenders(['LX-2'])
    await expect(remove('LX-1')).rejects.toMatchObject({ status: 404 })
    unit.socket.close()
    await until(() => known().offline)
    expect(await list()).toMatchObject([{ state: 'unknown' }])
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect((await list()).map(({ serialNumber }) => serialNumber)).toEqual(['LX-2'])
  })

  it('[ACCESS-010] [SRV-010] requires the unit to be under SLA, set by vendor staff; without it extenders are not used', async () => {
    await pair('LX-1')
    await wantedExtenders(['LX-1'])
    await expect(setSla(false, nora)).rejects.toMatchObject({ status: 403 })
    expect((await setSla(false)).services).not.toContain('sla')
    expect(known().services).toEqual(expect.arrayContaining(['video', 'ai']))
    await wantedExtenders([])
    expect(await list()).toMatchObject([{ serialNumber: 'LX-1', state: 'resting' }])
    await expect(pair('LX-2')).rejects.toMatchObject({ status: 409, message: 'Unit not under SLA.' })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    await expect(pair('LX-2')).rejects.toMatchObject({ message: 'Unit not under SLA.' })
    const again = await fleet.again(unit)
    await again.greet()
    await remove('LX-1')
    root = await fleet.signedIn('root')
    await setSla(true)
    expect(known().services).toContain('sla')
    await pair('LX-2')
    await again.next('wanted', ({ state }) => state.extenders?.join() === 'LX-2')
  })

  it('refuses invalid and taken serial numbers, and users who administer nothing', async () => {
    const busy = { status: 409, message: 'The link extender is already paired to a unit.' }
    const second = await fleet.unit('U-2')
    await expect(pair('LX-1', second.id)).rejects.toMatchObject({
      message: 'The unit does not support link extenders.',
    })
    const smart = await fleet.unit('S-1', { product: 'LU-Smart' })
    await expect(pair('LX-1', smart.id)).rejects.toMatchObject({
      fields: [fault('serialNumber', 'linkExtender.notFieldUnit')],
    })
    await expect(pair('sn-S-1')).rejects.toMatchObject({
      message: 'The device with this serial number is not a link extender.',
    })
    await fleet.unit('X-1', { product: 'Link Extender', serialNumber: 'LX-9' })
    for (const serial of ['LX-9', 'LX-2', 'LX-3']) await pair(serial)
    // A machine that has never joined is informed when it joins.
    const record = await nora.call(api.deviceAdministration.createUnit, {
      body: { name: 'Van', productType: 'LU-600', serialNumber: '600-1', inventory: 'north' },
    })
    await expect(pair('LX-9')).rejects.toMatchObject(busy)
    await expect(pair('LX-9', record.uid)).rejects.toMatchObject(busy)
    await pair('LX-4', record.uid)
    expect((await fleet.unit('Box', { serialNumber: '600-1' })).newest('wanted')?.state.extenders).toEqual([
      'LX-4',
    ])
    await pair('LX-5')
    await expect(pair('LX-6')).rejects.toMatchObject({ message: 'A unit has at most 4 link extenders.' })
    for (const wrong of ['', 'LX 7', 'x'.repeat(65)])
      await expect(pair(wrong)).rejects.toMatchObject({ status: 400 })
    const olivia = await fleet.signedIn('olivia')
    await expect(list(unit.id, olivia)).rejects.toMatchObject({ status: 403 })
  })

  it('keeps extenders at the customer when the unit moves to another', async () => {
    await pair('LX-1')
    await wantedExtenders(['LX-1'])
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: unit.id } })
    await wantedExtenders([])
    expect(await list(unit.id, root)).toEqual([])
    const other = await fleet.unit('U-3')
    other.report({ capabilities: { xtend: true } })
    await until(() => fleet.core.units.values(other.id)?.capabilities.xtend === true)
    expect(await pair('LX-1', other.id)).toHaveLength(1)
  })
})
