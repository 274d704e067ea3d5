// Licences through the doors: assigned from the stock and never beyond it, refused without the permission, pushed.

import { api } from '@backhaul/contract/api/api'
import type { LicenceChange, LicenceStock } from '@backhaul/contract/nouns/licences'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { licences: calls } = api

describe.each(engines)('licences on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', 'in', ['nora', 'olivia']).execute()
  })
  afterEach(() => fleet.remove())

  async function newUnit(name: string): Promise<TestDevice> {
    const unit = await fleet.unit(name)
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    return unit
  }
  const hold = (licence: LicenceStock['licence'], total: number) =>
    root.call(calls.setStock, { params: { id: 'north' }, body: { licence, total } })
  const assign = (unit: TestDevice, body: LicenceChange, browser = nora) =>
    browser.call(calls.assign, { params: { id: 'north', unit: unit.id }, body })
  const all = () => nora.call(calls.ofInventory, { params: { id: 'north' } })
  const stock = async (licence: string) => (await all()).stock.find((one) => one.licence === licence)

  it('[INV-008] assigns every licence to a unit and releases it, and the stock follows', async () => {
    const unit = await newUnit('VAN-1')
    expect((await all()).units).toMatchObject([{ uid: unit.id, name: 'VAN-1', isLicensed: false }])
    const flags = ['video', 'pro4k', 'multiCamera', 'databridge', 'ai', 'videoReturn'] as const
    for (const licence of flags) await hold(licence, 1)
    await hold('raHours', 100)
    await hold('rlHours', 50)
    const everything = { ...Object.fromEntries(flags.map((flag) => [flag, true])), raHours: 60, rlHours: 50 }
    expect(await assign(unit, everything)).toMatchObject({ isLicensed: true, licences: everything })
    expect(await stock('raHours')).toEqual({ licence: 'raHours', total: 100, assigned: 60 })
    expect(await stock('pro4k')).toEqual({ licence: 'pro4k', total: 1, assigned: 1 })
    await assign(unit, { pro4k: false, raHours: 0 })
    expect(await stock('pro4k')).toMatchObject({ assigned: 0 })
    expect((await all()).units[0]?.licences).toMatchObject({
      pro4k: false,
      raHours: 0,
      rlHours: 50,
      ai: true,
    })
  })

  it('changes the licence fields of the unit, pushes them, and keeps them over a restart', async () => {
    const unit = await newUnit('VAN-1')
    const follower = await fleet.follow(nora, [`unit.${unit.id}`])
    const before = fleet.core.units.values(unit.id)
    expect([before?.license, before?.services.includes('pro4k')]).toEqual([null, true])
    await hold('video', 1)
    await hold('raHours', 10)
    await assign(unit, { video: true, raHours: 7 })
    await fleet.pass(300)
    await follower.sees(`unit.${unit.id}`, {
      license: { raHours: 7, rlHours: 0, valid: true },
      services: ['video', 'sla'],
    })
    await assign(unit, { video: false })
    await fleet.pass(300)
    await follower.sees(`unit.${unit.id}`, {
      license: { raHours: 7, rlHours: 0, valid: false },
      services: ['sla'],
    })
    await fleet.restart()
    expect(fleet.core.units.values(unit.id)?.license).toEqual({ raHours: 7, rlHours: 0, valid: false })
  })

  it('takes nothing from an unlimited unit when a licence is released that it was never assigned', async () => {
    const unit = await newUnit('VAN-1')
    const before = fleet.core.units.values(unit.id)
    expect(await assign(unit, { video: false, raHours: 0 })).toMatchObject({ isLicensed: false })
    expect(fleet.core.units.values(unit.id)).toMatchObject({
      license: null,
      services: before?.services,
    })
    await fleet.restart()
    expect(fleet.core.units.values(unit.id)?.services).toEqual(before?.services)
  })

  it('[INV-008] returns a unit to unlimited, gives its licences back to the stock and pushes the change', async () => {
    const unit = await newUnit('VAN-1')
    const services = fleet.core.units.values(unit.id)?.services
    await hold('video', 1)
    await hold('raHours', 10)
    await assign(unit, { video: true, raHours: 7 })
    await assign(unit, { video: false })
    const remove = (browser: Browser) =>
      browser.call(calls.removeLimit, { params: { id: 'north', unit: unit.id } })
    await expect(remove(await fleet.signedIn('olivia'))).rejects.toMatchObject({ code: 403 })
    await expect(remove(root)).rejects.toMatchObject({ code: 403 })
    const follower = await fleet.follow(nora, [`unit.${unit.id}`])
    expect(await remove(nora)).toMatchObject({ uid: unit.id, isLicensed: false, licences: { raHours: 0 } })
    await fleet.pass(300)
    await follower.sees(`unit.${unit.id}`, { license: null, services })
    expect(await stock('raHours')).toMatchObject({ assigned: 0 })
    await fleet.restart()
    expect(fleet.core.units.values(unit.id)).toMatchObject({ license: null, services })
  })

  it('never assigns more than the customer holds, also by two administrators at the same time', async () => {
    const units = await Promise.all(['A', 'B', 'C', 'D'].map((name) => newUnit(`VAN-${name}`)))
    await hold('video', 2)
    await hold('rlHours', 10)
    const noras = await Promise.all([fleet.signedIn('nora'), fleet.signedIn('nora')])
    const tries = await Promise.allSettled(
      units.map((unit, at) => assign(unit, { video: true }, noras[at % 2] as Browser)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const refusal = {
      code: 409,
      message: 'No license available.',
      fields: [{ field: 'video', message: 'No license available.' }],
    }
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal)
    expect(await stock('video')).toEqual({ licence: 'video', total: 2, assigned: 2 })
    const [first, second] = units as [TestDevice, TestDevice]
    await assign(first, { rlHours: 6 })
    await expect(assign(second, { rlHours: 5 })).rejects.toMatchObject({ code: 409 })
    await assign(second, { rlHours: 4 })
    await expect(assign(first, { videoReturn: true })).rejects.toMatchObject({
      message: 'No Video Return licenses available.',
    })
    await expect(hold('rlHours', 9)).rejects.toMatchObject({
      code: 409,
      message: '10 of this licence are assigned to units.',
    })
    // A refusal changes nothing.
    expect(await stock('videoReturn')).toMatchObject({ assigned: 0 })
  })

  it('[ACCESS-007] requires the permission of the user in addition to the role, and records each attempt', async () => {
    const unit = await newUnit('VAN-1')
    await hold('video', 1)
    await fleet.db.updateTable('users').set({ oda: 0 }).where('username', '=', 'nora').execute()
    const refusal = { code: 403, message: 'Not available for your user type' }
    await expect(all()).rejects.toMatchObject(refusal)
    await expect(assign(unit, { video: true })).rejects.toMatchObject(refusal)
    for (const name of ['root', 'olivia', 'reed']) {
      const other = await fleet.signedIn(name)
      await expect(assign(unit, { video: true }, other)).rejects.toMatchObject(refusal)
    }
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', '=', 'nora').execute()
    await assign(unit, { video: true })
    const lines = await fleet.db
      .selectFrom('audit')
      .select(['username', 'object_kind', 'object_id', 'inventory_id', 'result', 'details'])
      .where('action', '=', 'licences.assign')
      .where('username', '=', 'nora')
      .orderBy('at_ms')
      .orderBy('result', 'desc')
      .execute()
    const line = { username: 'nora', object_kind: 'units', object_id: unit.id, inventory_id: 'north' }
    expect(lines).toMatchObject([{ result: 'done' }, { result: refusal.message }])
    expect(lines[0]).toEqual({ ...line, result: 'done', details: '{"video":true}' })
  })

  it('refuses unknown licences, and units and customers out of scope', async () => {
    const unit = await newUnit('VAN-1')
    const far = await fleet.unit('FAR-1', { registrationKey: 'key-cairo' })
    await expect(assign(unit, { raHours: -1 })).rejects.toMatchObject({
      code: 400,
      fields: [{ field: 'raHours', message: 'Must be 0 or more' }],
    })
    await expect(assign(unit, { colour: true } as LicenceChange)).rejects.toMatchObject({ code: 400 })
    await expect(assign(far, { video: true })).rejects.toMatchObject({
      code: 404,
      message: 'Unit not found.',
    })
    await expect(
      nora.call(calls.assign, { params: { id: 'south', unit: far.id }, body: { video: true } }),
    ).rejects.toMatchObject({ code: 404, message: 'Inventory not found.' })
    await expect(
      nora.call(calls.setStock, { params: { id: 'north' }, body: { licence: 'video', total: 9 } }),
    ).rejects.toMatchObject({ code: 403 })
  })

  it('shows only the vendor what a customer holds', async () => {
    const unit = await newUnit('VAN-1')
    await hold('ai', 3)
    await assign(unit, { ai: true })
    const north = { params: { id: 'north' } }
    const held = await root.call(calls.stock, north)
    expect(held).toHaveLength(8)
    expect(held).toContainEqual({ licence: 'ai', total: 3, assigned: 1 })
    await expect(root.call(calls.stock, { params: { id: 'nowhere' } })).rejects.toMatchObject({ code: 404 })
    await expect(nora.call(calls.stock, north)).rejects.toMatchObject({ code: 403 })
  })

  it('loses neither a licence nor a gateway nor a machine when they are chosen at the same time', async () => {
    const unit = await newUnit('VAN-1')
    const gateway = await fleet.server('Gateway', 0, { product: 'Databridge Gateway' })
    await hold('databridge', 1)
    await hold('raHours', 9)
    await hold('video', 1)
    await assign(unit, { databridge: true })
    const select = (id: string | null) =>
      nora.call(api.databridge.select, { params: { id: unit.id }, body: { gateway: id } })
    const addMachine = (machine: string) =>
      fleet.core.units.changeMachines(unit.id, (now) => [...now, machine].toSorted())
    await Promise.all([
      assign(unit, { video: true }),
      addMachine('machine-1'),
      select(gateway.id),
      assign(unit, { raHours: 5 }),
      addMachine('machine-2'),
    ])
    const kept = {
      databridgeGateway: gateway.id,
      license: { raHours: 5, rlHours: 0, valid: true },
      services: ['video', 'databridge', 'sla'],
      machines: ['machine-1', 'machine-2'],
    }
    expect(fleet.core.devices.get(unit.id)?.details).toMatchObject(kept)
    await fleet.restart()
    expect(fleet.core.devices.get(unit.id)?.details).toMatchObject(kept)
  })

  it('takes nothing from one customer for a unit of another, also when the caller administers both', async () => {
    const far = await fleet.unit('FAR-1', { registrationKey: 'key-cairo' })
    await fleet.db
      .insertInto('user_inventories')
      .values({ user_id: 'us-nora', inventory_id: 'south' })
      .execute()
    await hold('video', 1)
    const both = await fleet.signedIn('nora')
    await both.call(calls.ofInventory, { params: { id: 'south' } })
    const refusal = { code: 404, message: 'Unit not found.' }
    await expect(assign(far, { video: true }, both)).rejects.toMatchObject(refusal)
    expect(await stock('video')).toMatchObject({ assigned: 0 })
  })

  it('lets a unit release a licence of which the customer has too few, and take one of which there are enough', async () => {
    const unit = await newUnit('VAN-1')
    for (const [licence, total] of [
      ['video', 1],
      ['ai', 1],
      ['raHours', 9],
    ] as const)
      await hold(licence, total)
    await assign(unit, { video: true, raHours: 9 })
    // As after units have moved to this customer with their licences.
    await fleet.db.updateTable('licence_stocks').set({ totals: '{"ai":1,"raHours":4}' }).execute()
    await assign(unit, { ai: true, raHours: 5 })
    expect((await all()).units[0]?.licences).toMatchObject({ video: true, ai: true, raHours: 5 })
    await expect(assign(unit, { raHours: 6 })).rejects.toMatchObject({ code: 409 })
  })

  it('does not change a maintenance contract, which is not a licence', async () => {
    const unit = await newUnit('VAN-1')
    await hold('video', 1)
    await fleet.core.devices.updateDetails(unit.id, (now) => ({ ...now, services: ['video', 'pro2'] }))
    await assign(unit, { video: true })
    expect(fleet.core.units.values(unit.id)?.services).toEqual(['video', 'pro2'])
  })

  it('does not take the picture licence from a transmitting unit', async () => {
    const unit = await newUnit('VAN-1')
    await hold('video', 1)
    await assign(unit, { video: true })
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(unit.id)?.busy === true)
    await expect(assign(unit, { video: false })).rejects.toMatchObject({
      code: 409,
      message: 'Unit is busy.',
    })
    await assign(unit, { raHours: 0 })
  })
})
