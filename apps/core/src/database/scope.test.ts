import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { engines, freshDatabase, type TestDatabase } from './testing.ts'

const scopes: Record<string, Scope> = {
  vendor: everything,
  administrator: {
    everything: false,
    inventories: ['north'],
    wholeInventories: true,
    groups: ['london', 'leeds'],
  },
  operator: { everything: false, inventories: ['north'], wholeInventories: false, groups: ['london'] },
  guest: { everything: false, inventories: ['north'], wholeInventories: false, groups: ['cairo'] },
  nobody: { everything: false, inventories: [], wholeInventories: false, groups: [] },
}

/** Thing, its customer, its groups. */
const things: [id: string, inventoryId: string, groups: string[]][] = [
  ['in-cairo', 'south', ['cairo']],
  ['in-leeds', 'north', ['leeds']],
  ['in-london', 'north', ['london', 'leeds']],
  ['in-none', 'north', []],
]

const readable: Record<string, string[]> = {
  vendor: ['in-cairo', 'in-leeds', 'in-london', 'in-none'],
  administrator: ['in-leeds', 'in-london', 'in-none'],
  operator: ['in-london'],
  guest: ['in-cairo'],
  nobody: [],
}

function device(id: string, inventory_id: string): DeviceRow {
  const facts = { comment: '', product_type: 'LU800', serial_number: id, sw_version: '9.0', details: '{}' }
  const wanted = { wanted: '{}', wanted_revision: 0, registered_ms: 0, token_hash: id }
  return { id, kind: 'unit', inventory_id, name: id, ...facts, ...wanted }
}

describe('what a caller may read', () => {
  it.each(Object.entries(scopes))('is decided in memory for the %s', (name, scope) => {
    const ids = things
      .filter(([, inventoryId, groupIds]) => reads(scope, { inventoryId, groupIds }))
      .map(([id]) => id)
    expect(ids).toEqual(readable[name])
  })

  it('includes the own customers only', () => {
    const own = Object.entries(scopes).map(([name, scope]) => [name, readsInventory(scope, 'south')])
    const nobodyElse = { administrator: false, operator: false, guest: false, nobody: false }
    expect(Object.fromEntries(own)).toEqual({ vendor: true, ...nobodyElse })
  })
})

describe.each(engines)('what a query finds on %s', (engine) => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await freshDatabase(engine)
    const { db } = test
    for (const id of ['north', 'south']) {
      const rest = { parent_id: null, region: '', customer_id: '', sip_server: '', cloud_provider: null }
      await db
        .insertInto('inventories')
        .values({ id, name: id, ...rest, properties: '{}', created_ms: 0 })
        .execute()
    }
    for (const [id, inventory_id] of [
      ['london', 'north'],
      ['leeds', 'north'],
      ['cairo', 'south'],
    ] as const) {
      const flags = { unit_auto_association: 1, global_auto_association: 1 } as const
      const key = { registration_key: id, key_schedule: 'never', key_made_ms: 0, adhoc_mode: 'link' }
      const rest = { ...key, details: '{}', created_ms: 0 }
      await db
        .insertInto('groups')
        .values({ id, inventory_id, name: id, ...flags, ...rest })
        .execute()
    }
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
      .where((eb) => groupInScope(scope, eb.ref('id')))
      .execute()
    const inventories = await test.db
      .selectFrom('inventories')
      .select('id')
      .where((eb) => inventoryInScope(scope, eb.ref('id')))
      .execute()
    const all = scope === everything
    expect([name, groups.map(({ id }) => id).toSorted()]).toEqual([
      name,
      all ? ['cairo', 'leeds', 'london'] : scope.groups.toSorted(),
    ])
    expect(inventories.map(({ id }) => id).toSorted()).toEqual(all ? ['north', 'south'] : scope.inventories)
  })
})
