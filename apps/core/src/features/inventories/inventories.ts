// Inventories: the customer accounts that everything else belongs to.
import { NotFound } from '@backhaul/contract/define/errors'
import { defaultProperties, type Inventory } from '@backhaul/contract/nouns/inventories'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { readsInventory, type Scope } from '../../database/scope.ts'
import { findInventory, insertInventory, listInventories } from './inventory-table.ts'

export interface Inventories {
  /** Those of the caller whose name contains `name`, by name. */
  list(scope: Scope, filter: { name?: string | undefined; limit: number }): Promise<Inventory[]>
  /** Throws NotFound for one that the caller may not know of. */
  get(scope: Scope, id: string): Promise<Inventory>
  /** Adds an inventory unless its id stands already; answers whether it is new. */
  ensure(inventory: Pick<Inventory, 'id' | 'name'> & Partial<Inventory>): Promise<boolean>
}

export function createInventories({ db, clock }: { db: Database; clock: Clock }): Inventories {
  return {
    list: (scope, filter) => listInventories(db, scope, filter),
    async get(scope, id) {
      const inventory = readsInventory(scope, id) ? await findInventory(db, id) : undefined
      if (!inventory) throw new NotFound('Inventory')
      return inventory
    },
    ensure: (inventory) =>
      insertInventory(
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
