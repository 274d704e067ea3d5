import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestCore, type TestCore } from '../testing.ts'
import type { DeviceRow } from './schema.ts'
import {
  everything,
  groupInScope,
  inventoryInScope,
  reads,
  readsInventory,
  type Scope,
  unitInScope,
} from './scope.ts'
import { engines } from './testing.ts'

const readsOnly = (...groupIds: string[]): Pick<Scope, 'readsGroup'> => ({
  readsGroup: (id) => groupIds.includes(id),
})
const ofNorth = {
  everything: false,
  inventories: ['north'],
  customers: [{ ofUser: 'us-olivia', withSecondaries: false }],
  wholeInventories: false,
  everyGroup: false,
} as const
const keyOfNorth = { id: 'north', withSecondaries: false } as const
const administrator: Scope = {
  ...ofNorth,
  inventories: ['annex', 'north'],
  customers: [{ ofUser: 'us-nora', withSecondaries: true }],
  wholeInventories: true,
  everyGroup: true,
  ...readsOnly('london', 'leeds'),
}
/** Sam belongs to South, and reads its group Cairo. */
const guest = { userId: 'us-sam', ownCustomersOnly: false }

const scopes: Record<string, Scope> = {
  vendor: everything,
  administrator,
  operator: { ...ofNorth, member: { userId: 'us-olivia', ownCustomersOnly: false }, ...readsOnly('london') },
  guest: { ...ofNorth, member: guest, ...readsOnly('cairo') },
  "key of an administrator's": {
    ...administrator,
    inventories: ['north'],
    customers: [keyOfNorth, ...administrator.customers],
    wholeInventories: false,
  },
  "administrator's key of an administrator's": {
    ...administrator,
    customers: [{ ...keyOfNorth, withSecondaries: true }, ...administrator.customers],
  },
  "key of another customer's": {
    ...administrator,
    inventories: [],
    customers: [{ id: 'south', withSecondaries: true }, ...administrator.customers],
    ...readsOnly(),
  },
  "key of a guest's": {
    ...ofNorth,
    customers: [keyOfNorth, ...ofNorth.customers],
    member: { ...guest, ownCustomersOnly: true },
    ...readsOnly(),
  },
  withoutMembership: {
    ...ofNorth,
    inventories: [],
    customers: [{ ofUser: 'us-none', withSecondaries: true }],
    everyGroup: true,
    wholeInventories: true,
    ...readsOnly(),
  },
  withoutCustomers: { ...administrator, inventories: [], customers: [], ...readsOnly() },
}

/** Object, its customer, its groups. */
const things: [id: string, inventoryId: string, groups: string[]][] = [
  ['in-annex', 'annex', []],
  ['in-cairo', 'south', ['cairo']],
  ['in-leeds', 'north', ['leeds']],
  ['in-london', 'north', ['london', 'leeds']],
  ['in-none', 'north', []],
]

const readable: Record<string, string[]> = {
  vendor: ['in-annex', 'in-cairo', 'in-leeds', 'in-london', 'in-none'],
  administrator: ['in-annex', 'in-leeds', 'in-london', 'in-none'],
  operator: ['in-london'],
  guest: ['in-cairo'],
  "key of an administrator's": ['in-leeds', 'in-london'],
  "administrator's key of an administrator's": ['in-annex', 'in-leeds', 'in-london', 'in-none'],
  "key of another customer's": [],
  "key of a guest's": [],
  withoutMembership: [],
  withoutCustomers: [],
}

function device(id: string, inventory_id: string): DeviceRow {
  const facts = { comment: '', product_type: 'LU800', serial_number: id, sw_version: '9.0', details: '{}' }
  const wanted = { wanted: '{}', wanted_revision: 0, registered_ms: 0, token_hash: id }
  return { id, kind: 'unit', inventory_id, name: id, ...facts, ...wanted }
}

describe('the scope of a caller', () => {
  it.each(Object.entries(scopes))('is decided in memory for the %s', (name, scope) => {
    const ids = things
      .filter(([, inventoryId, groupIds]) => reads(scope, { inventoryId, groupIds }))
      .map(([id]) => id)
    expect(ids).toEqual(readable[name])
  })

  it('includes the own customers only', () => {
    const own = Object.entries(scopes).map(([name, scope]) => [name, readsInventory(scope, 'south')])
    expect(own.filter(([, isRead]) => isRead)).toEqual([['vendor', true]])
  })
})

describe.each(engines)('the rows that a query finds on %s', (engine) => {
  let test: TestCore
  beforeAll(async () => {
    test = await createTestCore(engine)
    const { db } = test
    await test.core.inventories.ensure({ id: 'annex', name: 'Annex', parent: 'north' })
    for (const [id, inventoryId, groupIds] of things) {
      await db.insertInto('devices').values(device(id, inventoryId)).execute()
      for (const group_id of groupIds)
        await db.insertInto('group_units').values({ group_id, unit_id: id, expires_ms: null }).execute()
    }
  })
  afterAll(() => test.remove())

  it.each(Object.entries(scopes))('is the same for the %s', async (name, scope) => {
    const units = await test.db
      .selectFrom('devices')
      .select('id')
      .where('kind', '=', 'unit')
      .where((eb) => unitInScope(scope, { id: eb.ref('id'), inventoryId: eb.ref('inventory_id') }))
      .orderBy('id')
      .execute()
    expect(units.map(({ id }) => id)).toEqual(readable[name])
  })

  it.each(Object.entries(scopes))('holds the groups and customers of the %s alone', async (name, scope) => {
    const groups = await test.db
      .selectFrom('groups')
      .select('id')
      .where((eb) => groupInScope(scope, { id: eb.ref('id'), inventoryId: eb.ref('inventory_id') }))
      .execute()
    const inventories = await test.db
      .selectFrom('inventories')
      .select('id')
      .where((eb) => inventoryInScope(scope, eb.ref('id')))
      .execute()
    const all = ['cairo', 'leeds', 'london']
    expect([name, groups.map(({ id }) => id).toSorted()]).toEqual([name, all.filter(scope.readsGroup)])
    const customers = scope === everything ? ['annex', 'north', 'south'] : scope.inventories
    expect(inventories.map(({ id }) => id).toSorted()).toEqual(customers)
  })
})
