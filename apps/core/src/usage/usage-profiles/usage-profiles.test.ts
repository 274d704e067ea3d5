import { api as contract } from '@backhaul/contract/api/api'
import type { NewUsageProfile, UsageProfileChange } from '@backhaul/contract/nouns/usage-profiles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const { usageProfiles: calls, units } = contract

describe.each(engines)('usage profiles on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  let other: TestDevice
  let foreign: TestDevice
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    unit = await fleet.unit('U-1')
    other = await fleet.unit('U-2', { registrationKey: 'key-leeds' })
    foreign = await fleet.unit('U-3', { registrationKey: 'key-cairo' })
    await fleet.pass()
  })
  afterAll(() => fleet.remove())

  const plain = { inventory: 'north', type: 'data', monthlyLimit: 2000, resetDay: 1 } as const
  const create = (name: string, more: Partial<NewUsageProfile> = {}) =>
    nora.call(calls.create, { body: { ...plain, name, ...more } })
  const change = (id: string, body: UsageProfileChange) => nora.call(calls.change, { params: { id }, body })
  const remove = (id: string) => nora.call(calls.remove, { params: { id } })
  const one = (id: string) => nora.call(calls.one, { params: { id } })
  const fault = (field: string, message: string) => ({ code: 400, fields: [{ field, message }] })
  const usageOf = async ({ id }: TestDevice) => {
    const { usage, usageInfo, usageProfileId } = await nora.call(units.one, { params: { id } })
    return { usage, usageInfo, usageProfileId }
  }
  const listed = async (query: object = {}) =>
    (await nora.call(calls.list, { query })).items.map(({ name }) => name)

  it('[USER-006] adds, lists, changes and removes profiles', async () => {
    const field = await create('  Field units ')
    expect(field).toEqual({
      id: expect.stringMatching(/^up-/),
      inventoryId: 'north',
      name: 'Field units',
      type: 'data',
      monthlyLimit: 2000,
      resetDay: 1,
      isDefault: false,
      units: [],
    })
    const hours = await create('Airtime', { type: 'hours', monthlyLimit: 40, resetDay: 31 })
    expect(await one(hours.id)).toEqual(hours)
    expect(await listed()).toEqual(['Airtime', 'Field units'])
    expect(await listed({ search: 'FIELD' })).toEqual(['Field units'])
    expect(await listed({ sortBy: 'type', sortDir: 'desc', limit: 1 })).toEqual(['Airtime'])
    await expect(listed({ sortBy: 'units' })).rejects.toMatchObject(
      fault('sortBy', 'Must be one of name, type'),
    )
    expect(await change(field.id, { type: 'hours', monthlyLimit: 9, resetDay: 15 })).toEqual({
      ...field,
      type: 'hours',
      monthlyLimit: 9,
      resetDay: 15,
    })
    expect(await one(field.id)).toMatchObject({ name: 'Field units', monthlyLimit: 9, resetDay: 15 })
    for (const { id } of [field, hours]) expect(await remove(id)).toEqual({ done: true })
    expect(await listed()).toEqual([])
    await expect(one(field.id)).rejects.toMatchObject({ code: 404, message: 'Usage profile not found.' })
  })

  it('[USER-006] refuses what no profile can be, with the field and the rule', async () => {
    for (const [body, field, message] of [
      [{ resetDay: 0 }, 'resetDay', 'Must be 1 or more'],
      [{ resetDay: 32 }, 'resetDay', 'Must be 31 or less'],
      [{ resetDay: 1.5 }, 'resetDay', 'Must be an integer'],
      [{ monthlyLimit: 0 }, 'monthlyLimit', 'Must be 1 or more'],
      [{ type: 'minutes' as 'hours' }, 'type', 'Must be one of data, hours'],
      [{ name: ' ' }, 'name', 'This field is required'],
    ] as const) {
      await expect(create('Odd', body)).rejects.toMatchObject(fault(field, message))
    }
    await expect(create('Odd', { inventory: 'south' })).rejects.toMatchObject({
      code: 404,
      message: 'Inventory not found.',
    })
    for (const resetDay of [1, 31]) await remove((await create('Edge', { resetDay })).id)
  })

  it('[USER-006] keeps the names of an inventory apart', async () => {
    const first = await create('Only one')
    const second = await create('Another')
    const taken = {
      code: 409,
      message: 'Profile name must be unique.',
      fields: [{ field: 'name', cause: { code: 'usageProfile.nameNotUnique' } }],
    }
    await expect(create('Only one')).rejects.toMatchObject(taken)
    await expect(change(second.id, { name: 'Only one' })).rejects.toMatchObject(taken)
    const root = await fleet.signedIn('root')
    const elsewhere = await root.call(calls.create, {
      body: { ...plain, name: 'Only one', inventory: 'south' },
    })
    expect(await listed()).toEqual(['Another', 'Only one'])
    await root.call(calls.remove, { params: { id: elsewhere.id } })
    for (const { id } of [first, second]) await remove(id)
  })

  it('[USER-006] has one default of each type in an inventory, which is kept until another replaces it', async () => {
    const data = await create('Data', { isDefault: true })
    const hours = await create('Hours', { type: 'hours', isDefault: true })
    expect([(await one(data.id)).isDefault, (await one(hours.id)).isDefault]).toEqual([true, true])
    const isDefault = { code: 409, message: 'Default usage profiles cannot be deleted.' }
    await expect(remove(data.id)).rejects.toMatchObject(isDefault)
    const message = 'Make another profile the default instead.'
    await expect(change(data.id, { isDefault: false })).rejects.toMatchObject(fault('isDefault', message))
    await expect(change(data.id, { type: 'hours' })).rejects.toMatchObject(fault('type', message))
    const next = await create('Next')
    await change(next.id, { isDefault: true })
    expect((await one(data.id)).isDefault).toBe(false)
    expect((await one(hours.id)).isDefault).toBe(true)
    await remove(data.id)
    await fleet.db.updateTable('usage_profiles').set({ is_default: 0 }).execute()
    for (const { id } of [hours, next]) await remove(id)
  })

  it('never has two defaults, however many requests come at the same time', async () => {
    const made = await Promise.all([1, 2, 3, 4].map((n) => create(`Rush-${n}`, { isDefault: true })))
    const standing = await Promise.all(made.map(({ id }) => one(id)))
    expect(standing.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    await fleet.db.updateTable('usage_profiles').set({ is_default: 0 }).execute()
    for (const { id } of made) await remove(id)
  })

  it('[USER-006] applies to the units that it names; a unit has one profile', async () => {
    const first = await create('First', { units: [unit.id, other.id] })
    expect(first.units).toEqual([unit.id, other.id].sort())
    const second = await create('Second', { units: [other.id] })
    expect((await one(first.id)).units).toEqual([unit.id])
    expect((await usageOf(unit)).usageProfileId).toBe(first.id)
    expect((await usageOf(other)).usageProfileId).toBe(second.id)
    const associated = { code: 409, message: 'Profiles still associated cannot be deleted.' }
    await expect(remove(first.id)).rejects.toMatchObject(associated)
    for (const id of [foreign.id, 'nowhere']) {
      await expect(change(first.id, { units: [id] })).rejects.toMatchObject({
        code: 404,
        message: 'Unit not found.',
      })
    }
    expect((await one(first.id)).units).toEqual([unit.id])
    await change(first.id, { name: 'First again' })
    expect((await one(first.id)).units).toEqual([unit.id])
    await change(first.id, { units: [] })
    await change(second.id, { units: [] })
    expect(await usageOf(unit)).toEqual({ usage: null, usageInfo: null, usageProfileId: null })
    for (const { id } of [first, second]) await remove(id)
  })

  it('[USER-006] [UNIT-024] counts what a unit sends, by the default where it has no profile, and keeps the count over a restart', async () => {
    const data = await create('Counting', { isDefault: true, monthlyLimit: 1, resetDay: 31 })
    const root = await fleet.signedIn('root')
    // The figures of other tests do not count here.
    await fleet.db.deleteFrom('usage_counts').execute()
    const samples = Array.from({ length: 10 }, (_, at) => sampleOf(fleet.clock.nowMs() - 9000 + at * 1000))
    unit.send({ type: 'telemetry', samples })
    await fleet.pass(61_000)
    // Three modems of 1010 kbps for 10 s.
    const shown = { type: 'data', used: 3.8, limit: 1, resetDay: 31, overUsage: true }
    expect(await usageOf(unit)).toEqual({ usage: 3.8, usageInfo: shown, usageProfileId: data.id })
    const follower = await fleet.follow(nora, [`unit.${unit.id}`])
    await follower.sees(`unit.${unit.id}`, { usage: 3.8, usageInfo: shown })
    expect((await usageOf(other)).usage).toBe(0)
    const stranger = await root.call(units.one, { params: { id: foreign.id } })
    expect(stranger.usageInfo).toBeNull()

    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect((await usageOf(unit)).usageInfo).toEqual(shown)
    const hours = await create('On air', { type: 'hours', units: [unit.id], monthlyLimit: 1 })
    expect((await usageOf(unit)).usageInfo).toMatchObject({ type: 'hours', used: 0, overUsage: false })
    await change(hours.id, { units: [] })
    // A reset day was reached since the count began: it starts again.
    await change(data.id, { resetDay: new Date(fleet.clock.nowMs()).getUTCDate() })
    expect((await usageOf(unit)).usage).toBe(0)
    await fleet.db.updateTable('usage_profiles').set({ is_default: 0 }).execute()
    for (const { id } of [data, hours]) await remove(id)
  })

  it('stores the counts of a fleet in parts, each within a minute', async () => {
    const some = await Promise.all(Array.from({ length: 45 }, (_, at) => fleet.unit(`MANY-${at}`)))
    for (const sender of some) sender.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    await fleet.pass(61_000)
    const stored = await fleet.db.selectFrom('usage_counts').select('unit_id').execute()
    expect(stored.map(({ unit_id }) => unit_id)).toEqual(expect.arrayContaining(some.map(({ id }) => id)))
  })

  it('is for administrators', async () => {
    for (const username of ['olivia', 'reed', 'vera']) {
      const browser = await fleet.signedIn(username)
      await expect(browser.call(calls.list, { query: {} })).rejects.toMatchObject({ code: 403 })
      await expect(browser.call(calls.create, { body: { ...plain, name: 'Mine' } })).rejects.toMatchObject({
        code: 403,
      })
    }
  })
})
