// Inventories: the customer accounts that everything else belongs to.

import { randomUUID } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { because, type PlainCode } from '@backhaul/contract/define/refusals'
import { gate, type PropertyFeature } from '@backhaul/contract/nouns/gates'
import {
  defaultProperties,
  type EnhancedInventory,
  type Inventory,
  type InventoryChange,
  type InventoryProperties,
  type InventoryProperty,
  type NewInventory,
} from '@backhaul/contract/nouns/inventories'
import type { Clock } from '@backhaul/runtime/clock'
import { pagingOf } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { type Customers, everything, readsInventory, type Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Events } from '../../world/events.ts'
import * as table from './inventory-table.ts'

export interface Inventories {
  /** The inventories of the caller whose name contains `name`, by name. */
  list(scope: Scope, filter: { name?: string | undefined; limit: number }): Promise<Inventory[]>
  /** One page of the inventories of the caller. */
  page(scope: Scope, query: PageQuery): Promise<Page<Inventory>>
  /** One page with the parent's name and the number of objects of each. */
  enhancedPage(scope: Scope, query: PageQuery): Promise<Page<EnhancedInventory>>
  count(scope: Scope): Promise<number>
  /** Throws NotFound for one outside the caller's scope. */
  get(scope: Scope, id: string): Promise<Inventory>
  /** Why the properties of the customer close a feature; undefined when they do not. The customer is in the caller's scope. */
  closed(id: string, feature: PropertyFeature): Promise<PlainCode | undefined>
  /** Throws Conflict for a taken name and a parent that is full, InvalidRequest for one that cannot be a parent. */
  create(inventory: NewInventory): Promise<Inventory>
  /** Throws the same, and NotFound. */
  update(id: string, change: InventoryChange): Promise<Inventory>
  setProperty(id: string, name: InventoryProperty, value: boolean): Promise<InventoryProperties>
  /** Throws Conflict while it has objects. */
  remove(id: string): Promise<void>
  /** Checked before a removal: why a customer cannot be removed now, for what is not a row of a table (ER-OTHER-11). */
  keepWhile(reason: (id: string) => PlainCode | undefined): void
  /** Ids of the customers that are in each of these. */
  idsIn(customers: readonly Customers[]): Promise<string[]>
  /** The customers that are in each of these. */
  allIn(customers: readonly Customers[]): Promise<Inventory[]>
  /** Adds an inventory unless the id exists; answers whether it is new. */
  ensure(inventory: Pick<Inventory, 'id' | 'name'> & Partial<Inventory>): Promise<boolean>
}

interface Needs {
  db: Database
  clock: Clock
  events: Events
  /** The most secondary inventories that one may have. */
  secondariesAtMost: number
}

const pageKeys = ['name', 'region', 'customerId', 'sipServer'] as const

export function createInventories({ db, clock, events, secondariesAtMost }: Needs): Inventories {
  const keeping: ((id: string) => PlainCode | undefined)[] = []

  async function get(scope: Scope, id: string): Promise<Inventory> {
    const inventory = readsInventory(scope, id) ? await table.findInventory(db, id) : undefined
    if (!inventory) throw new NotFound('inventory')
    return inventory
  }

  /** Two levels and no more: so there are no circles, and a customer's scope is read in one step. */
  async function checkParent(transaction: DatabaseTransaction, { id, parent }: Inventory): Promise<void> {
    if (parent === null) return
    const refuse = (reason: PlainCode) => InvalidRequest.at('parent', reason)
    if (parent === id) throw refuse('inventory.ownParent')
    const held = await table.holdInventory(transaction, parent)
    if (!held) throw refuse('inventory.parentNotFound')
    if (held.parent !== null) throw refuse('inventory.parentSecondary')
    if ((await table.secondaryIds(transaction, id)).length > 0) {
      throw refuse('inventory.hasSecondaries')
    }
    const others = (await table.secondaryIds(transaction, parent)).filter((one) => one !== id)
    if (others.length >= secondariesAtMost) {
      throw Conflict.at('parent', because('inventory.secondariesAtMost', { most: secondariesAtMost }))
    }
  }

  /** Administrators of a parent see its secondaries, so their scope changes with it. */
  async function notifyMembersOf(parents: readonly (string | null)[]): Promise<void> {
    const ids = parents.filter((id) => id !== null)
    for (const userId of await table.userIdsOf(db, ids)) events.emit('userScopeChanged', { userId })
  }

  return {
    list: (scope, filter) => table.listInventories(db, scope, filter),
    page: (scope, query) => table.inventoryPage(db, scope, pagingOf(query, pageKeys)),
    async enhancedPage(scope, query) {
      const page = await table.inventoryPage(db, scope, pagingOf(query, pageKeys))
      return { ...page, items: await table.enhanced(db, page.items) }
    },
    count: (scope) => table.countInventories(db, scope),
    get,
    closed: async (id, feature) => gate(feature, await get(everything, id)),
    async create({ properties, ...given }) {
      const id = `inv-${randomUUID()}`
      const inventory = { ...given, id, properties: { ...defaultProperties, ...stated(properties) } }
      await named(
        db.transaction().execute(async (transaction) => {
          await checkParent(transaction, inventory)
          await table.insertInventory(transaction, inventory, clock.nowMs())
        }),
      )
      await notifyMembersOf([inventory.parent])
      return inventory
    },
    async update(id, { properties = {}, ...change }) {
      const before = await get(everything, id)
      const after = await named(
        db.transaction().execute(async (transaction) => {
          const held = await table.holdInventory(transaction, id)
          if (!held) throw new NotFound('inventory')
          const changed = {
            ...held,
            ...stated(change),
            properties: { ...held.properties, ...stated(properties) },
          }
          if (changed.parent !== held.parent) await checkParent(transaction, changed)
          await table.updateInventory(transaction, changed)
          return changed
        }),
      )
      if (after.parent !== before.parent) await notifyMembersOf([before.parent, after.parent])
      events.emit('inventoryChanged', { inventoryId: id })
      return after
    },
    async setProperty(id, name, value) {
      await get(everything, id)
      const changed = await db.transaction().execute(async (transaction) => {
        const held = await table.holdInventory(transaction, id)
        if (!held) throw new NotFound('inventory')
        const properties = { ...held.properties, [name]: value }
        await table.updateInventory(transaction, { ...held, properties })
        return properties
      })
      events.emit('inventoryChanged', { inventoryId: id })
      return changed
    },
    async remove(id) {
      const { parent } = await get(everything, id)
      for (const reason of keeping.map((check) => check(id)))
        if (reason !== undefined) throw new Conflict(reason)
      await db.transaction().execute(async (transaction) => {
        await table.holdInventory(transaction, id)
        const held = await table.belongingTo(transaction, id)
        if (Object.values(held).some((count) => count > 0))
          throw new Conflict(because('inventory.notEmpty', held))
        await table.deleteInventory(transaction, id)
      })
      await notifyMembersOf([parent])
    },
    keepWhile: (reason) => void keeping.push(reason),
    idsIn: (customers) => table.inventoryIdsIn(db, customers),
    allIn: (customers) => table.inventoriesIn(db, customers),
    ensure: (inventory) =>
      table.insertInventory(
        db,
        {
          region: '',
          parent: null,
          customerId: '',
          sipServer: '',
          cloudProvider: null,
          properties: defaultProperties,
          ...inventory,
        },
        clock.nowMs(),
      ),
  }
}

/** Leaves out the fields that were not given. */
function stated<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}

const named = <T>(writing: Promise<T>): Promise<T> => uniqueName(writing, 'name.taken')
