// Smart units for their administrators: details, target version, activities, deregistration; and units by their customer.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { deviceAdministration: calls } = api

describe.each(enginesOfNight)('smart units on %s', (engine) => {
  let fleet: TestFleet
  let phone: TestDevice
  let van: TestDevice
  let root: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    phone = await fleet.unit('PHONE', { product: 'LU-Smart', swVersion: '5.4.1' })
    van = await fleet.unit('VAN')
    await until(() => fleet.core.devices.memberships.membersOf('unit', 'london').length === 2)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: phone.id })

  it('[UNIT-030] show and change the details of a smart unit, and of no other kind of unit', async () => {
    expect(await nora.call(calls.smartUnit, { params: params() })).toMatchObject({
      uid: phone.id,
      productType: 'LU-Smart',
      serialNumber: 'sn-PHONE',
      swVersion: '5.4.1',
      inventoryName: 'North Broadcasting',
      groups: [{ uid: 'london', name: 'London-News' }],
    })
    const body = { name: 'PHONE-1', comment: 'reporter', groups: ['london', 'leeds'] }
    const changed = await nora.call(calls.changeSmartUnit, { params: params(), body })
    expect(changed).toMatchObject({ name: 'PHONE-1', comment: 'reporter' })
    expect(changed.groups.map(({ uid }) => uid).toSorted()).toEqual(['leeds', 'london'])
    expect(fleet.core.units.values(phone.id)).toMatchObject({ name: 'PHONE-1', comment: 'reporter' })
    const other = { params: { id: van.id } }
    await expect(nora.call(calls.smartUnit, other)).rejects.toMatchObject({ status: 404 })
    await expect(nora.call(calls.changeSmartUnit, { ...other, body })).rejects.toMatchObject({ status: 404 })
    expect(fleet.core.units.values(van.id)?.name).toBe('VAN')
    const long = { params: params(), body: { comment: 'x'.repeat(101) } }
    await expect(nora.call(calls.changeSmartUnit, long)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'comment' }],
    })
    const olivia = await fleet.signedIn('olivia')
    await expect(olivia.call(calls.smartUnit, { params: params() })).rejects.toMatchObject({ status: 403 })
  })

  it('[UNIT-030] count what units do, refuse a target version that the model cannot have, and deregister the machine', async () => {
    phone.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(phone.id)?.busy === true)
    const applications = () => nora.call(api.upgrades.applications, {})
    expect(await applications()).toContainEqual({ application: 'video', units: 1 })
    await expect(nora.call(calls.deregisterUnit, { params: params() })).rejects.toMatchObject({
      message: 'Unit is busy.',
    })
    phone.report({ applications: {} })
    await until(() => fleet.core.units.values(phone.id)?.busy === false)
    expect(await applications()).not.toContainEqual({ application: 'video', units: 1 })
    const version = { number: '6.0', path: 'smart-6.0.bhp', products: ['LU-Smart'] }
    const { id: versionNumberId } = await root.call(api.softwareVersions.create, { body: version })
    const target = { params: params(), body: { versionNumberId, upgradeNow: true } }
    await expect(nora.call(api.upgrades.setTargetOfUnit, target)).rejects.toMatchObject({
      message: 'This model cannot be upgraded.',
    })
    const gone = await nora.call(calls.deregisterUnit, { params: params() })
    expect(gone.deregisteredAt).not.toBeNull()
    expect(await phone.gone()).toBe(4401)
  })

  it('[UNIT-031] are also found and changed as units of their customer, not of another one', async () => {
    const ofNorth = { params: { inv: 'north', id: van.id } }
    expect(await nora.call(calls.unitOfInventory, ofNorth)).toMatchObject({ uid: van.id, inventory: 'north' })
    const changed = await nora.call(calls.changeUnitOfInventory, { ...ofNorth, body: { comment: 'boat' } })
    expect(changed.comment).toBe('boat')
    const ofSouth = { params: { inv: 'south', id: van.id } }
    for (const browser of [root, nora]) {
      await expect(browser.call(calls.unitOfInventory, ofSouth)).rejects.toMatchObject({ status: 404 })
      await expect(
        browser.call(calls.changeUnitOfInventory, { ...ofSouth, body: { comment: 'mine' } }),
      ).rejects.toMatchObject({ status: 404 })
    }
    expect(fleet.core.units.values(van.id)?.comment).toBe('boat')
  })
})
