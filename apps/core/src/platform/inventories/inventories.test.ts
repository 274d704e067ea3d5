import { api as contract } from '@backhaul/contract/api/api'
import { because } from '@backhaul/contract/define/refusals'
import { defaultProperties, InventoryProperty } from '@backhaul/contract/nouns/inventories'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { readCoreSettings } from '../../settings.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { inventories: calls, groups } = contract

describe.each(engines)('[INV-001] inventories on %s', (engine) => {
  let test: TestCore
  let root: Browser
  let nora: Browser
  beforeAll(async () => {
    test = await createTestCore(engine, { secondariesAtMost: 3 })
    root = await test.signedIn('root')
    nora = await test.signedIn('nora')
  })
  afterAll(() => test.remove())

  const create = (name: string, more: object = {}) => root.call(calls.create, { body: { name, ...more } })
  const change = (id: string, body: object) => root.call(calls.update, { params: { id }, body })
  const remove = (id: string) => root.call(calls.remove, { params: { id } })
  const namesOf = async (browser: Browser, query: object = {}) =>
    (await browser.call(calls.all, { query })).items.map(({ name }) => name)
  const fault = (field: string, message: string) => ({ code: 400, fields: [{ field, message }] })

  it('adds an inventory with the given fields, and default properties for those not given', async () => {
    const plain = await create('  East Media ')
    expect(plain).toEqual({
      id: expect.stringMatching(/^inv-/),
      name: 'East Media',
      region: '',
      parent: null,
      customerId: '',
      sipServer: '',
      cloudProvider: null,
      properties: defaultProperties,
    })
    const given = { region: 'Africa', customerId: 'C-7', sipServer: 'sip.example', cloudProvider: 'aws' }
    const full = await create('Full', { ...given, properties: { lux: true } })
    expect(full).toMatchObject({ ...given, properties: { ...defaultProperties, lux: true } })
    expect(await root.call(calls.all, { query: { search: 'Full' } })).toMatchObject({
      items: [full],
      total: 1,
    })
    await remove(plain.id)
    await remove(full.id)
  })

  it('lists fifty at a time unless another number is requested', async () => {
    expect(await root.call(calls.all, { query: {} })).toMatchObject({ offset: 0, limit: 50 })
    expect(await root.call(calls.enhanced, { query: {} })).toMatchObject({ offset: 0, limit: 50 })
    expect(await root.call(calls.all, { query: { limit: 1, offset: 1 } })).toMatchObject({
      items: [{ name: 'South News' }],
      offset: 1,
      limit: 1,
    })
  })

  it('changes the given fields and keeps the rest', async () => {
    const { id, ...before } = await create('Changing', { region: 'Asia', customerId: 'C-1' })
    expect(await change(id, { name: 'Changed', cloudProvider: 'oracle' })).toEqual({
      ...before,
      id,
      name: 'Changed',
      cloudProvider: 'oracle',
    })
    const properties = { lux: true, reboot: false }
    expect(await change(id, { region: 'Africa', properties })).toMatchObject({
      region: 'Africa',
      properties: { ...defaultProperties, ...properties },
    })
    // A refused change stores nothing.
    const taken = await create('Taken')
    await expect(change(id, { name: 'Taken', properties: { lux: false } })).rejects.toMatchObject({
      code: 409,
    })
    expect(await root.call(calls.properties, { params: { id } })).toMatchObject(properties)
    await expect(change(id, { properties: { fast: true } })).rejects.toMatchObject(
      fault('properties', 'Unknown field: fast.'),
    )
    await remove(taken.id)
    await remove(id)
  })

  it('[SHELL-029] refuses invalid fields, with the field and the rule', async () => {
    await expect(create(' ')).rejects.toMatchObject(fault('name', 'This field is required'))
    await expect(create('x'.repeat(256))).rejects.toMatchObject(
      fault('name', 'Must have at most 255 characters'),
    )
    await expect(create('A', { region: 'x'.repeat(256) })).rejects.toMatchObject(
      fault('region', 'Must have at most 255 characters'),
    )
    await expect(create('A', { cloudProvider: 'own' })).rejects.toMatchObject(
      fault('cloudProvider', 'Must be one of oracle, aws'),
    )
    await expect(create('A', { colour: 'red' })).rejects.toMatchObject(
      fault('(body)', 'Unknown field: colour.'),
    )
    await expect(create('A', { properties: { fast: true } })).rejects.toMatchObject(
      fault('properties', 'Unknown field: fast.'),
    )
    const taken = {
      code: 409,
      fields: [{ field: 'name', cause: { code: 'name.taken' } }],
    }
    await expect(create('South News')).rejects.toMatchObject(taken)
    await expect(change('north', { name: 'South News' })).rejects.toMatchObject(taken)
    await expect(change('nowhere', { name: 'B' })).rejects.toMatchObject({ code: 404 })
    await expect(remove('nowhere')).rejects.toMatchObject({ message: 'Inventory not found.' })
  })

  it('[STAFF-013] takes a registration server with or without a port, and refuses what is none by field and rule', async () => {
    const { id } = await create('Registered', { sipServer: ' SIP.Example:5061 ' })
    const server = async () =>
      (await root.call(calls.all, { query: { search: 'Registered' } })).items[0]?.sipServer
    expect(await server()).toBe('sip.example:5061')
    for (const sipServer of [
      'sip example',
      'sip:north',
      'https://sip.example',
      'sip.example:',
      '192.0.2.256',
    ])
      await expect(change(id, { sipServer })).rejects.toMatchObject(
        fault('sipServer', 'Invalid registration server.'),
      )
    for (const sipServer of ['sip.example:0', 'sip.example:65536'])
      await expect(change(id, { sipServer })).rejects.toMatchObject(
        fault('sipServer', 'The port of the registration server must be 1 to 65535.'),
      )
    await expect(create('Other', { sipServer: 'sip.example:70000' })).rejects.toMatchObject({ code: 400 })
    expect(await server()).toBe('sip.example:5061')
    for (const sipServer of ['sip.example:1', 'sip.example:65535', '[2001:db8::7]:5060', '']) {
      await change(id, { sipServer })
      expect(await server()).toBe(sipServer)
    }
    await remove(id)
  })

  it('can be written by vendor staff and read by administrators only', async () => {
    const olivia = await test.signedIn('olivia')
    const message = 'Not available for your user type'
    await expect(nora.call(calls.create, { body: { name: 'Mine' } })).rejects.toMatchObject({ message })
    await expect(
      nora.call(calls.update, { params: { id: 'north' }, body: { name: 'N' } }),
    ).rejects.toMatchObject({ message })
    await expect(nora.call(calls.remove, { params: { id: 'north' } })).rejects.toMatchObject({ message })
    await expect(
      nora.call(calls.setProperty, { params: { id: 'north', name: 'lux' }, body: { value: true } }),
    ).rejects.toMatchObject({ message })
    for (const call of [calls.all, calls.enhanced]) {
      await expect(olivia.call(call, { query: {} })).rejects.toMatchObject({ message })
    }
    await expect(olivia.call(calls.count, {})).rejects.toMatchObject({ message })
  })

  it('shows an administrator their own customer with its secondaries, and no other', async () => {
    const child = await create('North Sport', { parent: 'north' })
    const other = await create('South Sport', { parent: 'south' })
    const group = await test.core.groups.ensure({ id: 'hull', inventoryId: child.id, name: 'Hull' })
    expect(await namesOf(nora)).toEqual(['North Broadcasting', 'North Sport'])
    const { items } = await nora.call(calls.enhanced, { query: {} })
    expect(items.map(({ name }) => name)).toEqual(['North Broadcasting', 'North Sport'])
    expect(await namesOf(root)).toEqual(['North Broadcasting', 'North Sport', 'South News', 'South Sport'])
    expect([await nora.call(calls.count, {}), await root.call(calls.count, {})]).toEqual([
      { count: 2 },
      { count: 4 },
    ])
    expect((await nora.call(groups.all, {})).map(({ uid }) => uid)).toContain(group.id)
    expect(await nora.call(calls.properties, { params: { id: child.id } })).toEqual(defaultProperties)
    for (const id of ['south', other.id, 'nowhere']) {
      await expect(nora.call(calls.properties, { params: { id } })).rejects.toMatchObject({
        code: 404,
        message: 'Inventory not found.',
      })
    }
    const olivia = await test.signedIn('olivia')
    expect(await olivia.call(groups.inventories, { query: {} })).toEqual([
      { id: 'north', name: 'North Broadcasting' },
    ])
    await test.db.deleteFrom('groups').where('id', '=', 'hull').execute()
    await remove(child.id)
    await remove(other.id)
  })

  it('notifies the administrators of a parent that their scope changed', async () => {
    const notified: string[] = []
    const stop = test.core.events.on('userScopeChanged', ({ userId }) => notified.push(userId))
    const { id } = await create('Wandering', { parent: 'south' })
    expect(notified.splice(0)).toEqual(['us-sam'])
    await change(id, { parent: 'north' })
    expect(notified.splice(0)).toEqual(expect.arrayContaining(['us-sam', 'us-nora', 'us-root']))
    await change(id, { region: 'Asia' })
    expect(notified).toEqual([])
    await remove(id)
    expect(notified).toContain('us-nora')
    stop()
  })

  it('[SHELL-029] [INV-004] keeps parents and secondaries to two levels and to their maximum', async () => {
    await expect(change('north', { parent: 'north' })).rejects.toMatchObject(
      fault('parent', 'Parent inventory cannot be the current inventory'),
    )
    await expect(change('north', { parent: 'nowhere' })).rejects.toMatchObject(
      fault('parent', 'Parent inventory not found.'),
    )
    // Ten, unless the operator sets another number, as here.
    const allowed = (more: object) => readCoreSettings({ NODE_ENV: 'test', ...more }).secondariesAtMost
    expect([allowed({}), allowed({ BACKHAUL_SECONDARY_INVENTORIES: '3' })]).toEqual([10, 3])
    const made = []
    for (const name of ['S1', 'S2', 'S3']) made.push(await create(name, { parent: 'south' }))
    const full = {
      code: 409,
      fields: [{ field: 'parent', cause: because('inventory.secondariesAtMost', { most: 3 }) }],
    }
    await expect(create('S4', { parent: 'south' })).rejects.toMatchObject(full)
    await expect(change('north', { parent: 'south' })).rejects.toMatchObject(full)
    const [first] = made
    await expect(create('Deep', { parent: first?.id })).rejects.toMatchObject(
      fault('parent', 'Parent inventory is a secondary inventory itself.'),
    )
    await expect(change('south', { parent: 'north' })).rejects.toMatchObject(
      fault('parent', 'An inventory with secondary inventories cannot have a parent.'),
    )
    // One that keeps its parent does not count against itself.
    expect(await change(first?.id ?? '', { parent: 'south', region: 'Asia' })).toMatchObject({
      region: 'Asia',
    })
    await expect(remove('south')).rejects.toMatchObject({ code: 409 })
    for (const { id } of made) await remove(id)
  })

  it('[INV-004] keeps the maximum when several are added at the same time', async () => {
    const { id } = await create('Crowded')
    const tries = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map((number) => create(`Crowd-${number}`, { parent: id })),
    )
    const made = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    expect(made).toHaveLength(3)
    for (const child of made) await remove(child)
    await remove(id)
  })

  it('does not remove an inventory with objects, and names them', async () => {
    await expect(remove('north')).rejects.toMatchObject({
      code: 409,
      cause: { code: 'inventory.notEmpty', params: { units: 0, groups: 2, users: 5 } },
    })
    const parent = await create('Parent')
    const child = await create('Child', { parent: parent.id })
    await expect(remove(parent.id)).rejects.toMatchObject({
      cause: { code: 'inventory.notEmpty', params: { secondaries: 1 } },
    })
    await remove(child.id)
    // Transmissions remain in the report, under the name of their customer.
    const transmission = { started_ms: 1, started_by: null, live_ms: null, stopped_ms: 2, stopped_by: null }
    const texts = { comment: '', product_type: 'x', serial_number: '', sw_version: '', token_hash: 'h' }
    const moved = { ...texts, id: 'moved', kind: 'unit', inventory_id: 'south', name: 'Moved' } as const
    await test.db
      .insertInto('devices')
      .values({ ...moved, wanted: '{}', wanted_revision: 0, details: '{}', registered_ms: 1 })
      .execute()
    await test.db
      .insertInto('transmissions')
      .values({
        ...transmission,
        id: 'over',
        unit_id: 'moved',
        channel_id: null,
        group_id: null,
        inventory_id: parent.id,
        delay_ms: 2000,
        stop_reason: null,
        details: '{}',
      })
      .execute()
    await expect(remove(parent.id)).rejects.toMatchObject({
      code: 409,
      cause: { code: 'inventory.notEmpty', params: { transmissions: 1 } },
    })
    await test.db.deleteFrom('devices').where('id', '=', 'moved').execute()
    expect(await remove(parent.id)).toEqual({ done: true })
    expect(await namesOf(root, { search: 'Parent' })).toEqual([])
  })

  it('searches, sorts and pages the list in both styles', async () => {
    const made = [await create('Alpha', { region: 'Zulu' }), await create('beta', { region: 'Yankee' })]
    expect(await namesOf(root)).toEqual(['Alpha', 'beta', 'North Broadcasting', 'South News'])
    expect(await namesOf(root, { sortBy: 'name', sortDir: 'desc', limit: 2 })).toEqual([
      'South News',
      'North Broadcasting',
    ])
    expect(await namesOf(root, { sort: 'region,desc', limit: 2 })).toEqual(['Alpha', 'beta'])
    expect(await namesOf(root, { searchKey: 'region', searchValue: 'YANK' })).toEqual(['beta'])
    const page = await root.call(calls.all, { query: { offset: 3, limit: 1 } })
    expect([page.items.length, page.total, page.offset, page.limit]).toEqual([1, 4, 3, 1])
    expect((await root.call(calls.all, { query: {} })).limit).toBe(50)
    await expect(namesOf(root, { sortBy: 'password' })).rejects.toMatchObject(
      fault('sortBy', 'Must be one of name, region, customerId, sipServer'),
    )
    await expect(namesOf(root, { searchKey: 'id', searchValue: 'x' })).rejects.toMatchObject(
      fault('searchKey', 'Must be one of name, region, customerId, sipServer'),
    )
    for (const { id } of made) await remove(id)
  })

  it('counts the objects of each inventory', async () => {
    const { id } = await create('Counted', { parent: 'north' })
    const { items } = await root.call(calls.enhanced, { query: { search: 'o' } })
    expect(items).toMatchObject([
      { id, parentName: 'North Broadcasting', groups: 0, users: 0, secondaries: 0, units: 0, channels: 0 },
      { id: 'north', parentName: null, groups: 2, users: 5, secondaries: 1 },
      { id: 'south', groups: 1, users: 1 },
    ])
    await remove(id)
  })

  it('[INV-002] switches each property by its name, and refuses others', async () => {
    const { id } = await create('Switched')
    for (const name of InventoryProperty.options) {
      const value = !defaultProperties[name]
      const all = await root.call(calls.setProperty, { params: { id, name }, body: { value } })
      expect(all[name]).toBe(value)
    }
    const read = await root.call(calls.properties, { params: { id } })
    expect(Object.values(read)).toEqual(Object.values(defaultProperties).map((on) => !on))
    await expect(
      root.call(calls.setProperty, { params: { id, name: 'fast' as 'lux' }, body: { value: true } }),
    ).rejects.toMatchObject(fault('name', `Must be one of ${InventoryProperty.options.join(', ')}`))
    await expect(
      root.call(calls.setProperty, { params: { id: 'nowhere', name: 'lux' }, body: { value: true } }),
    ).rejects.toMatchObject({ code: 404 })
    await remove(id)
  })

  it('records each change in the audit log', async () => {
    const { id } = await create('Logged')
    await remove(id)
    const lines = await test.db
      .selectFrom('audit')
      .select(['action', 'username', 'result'])
      .where('object_id', '=', id)
      .orderBy('action')
      .execute()
    expect(lines).toEqual([
      { action: 'inventories.create', username: 'root', result: 'done' },
      { action: 'inventories.remove', username: 'root', result: 'done' },
    ])
  })
})
