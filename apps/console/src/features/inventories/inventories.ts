// The customers as vendor staff administers them: read when the screen opens and after each change.
import { inventories as calls } from '@backhaul/contract/api/inventories'
import type {
  EnhancedInventory,
  InventoryChange,
  InventoryProperties,
} from '@backhaul/contract/nouns/inventories'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { compareTexts } from '../../ui/locale.ts'
import { createValue } from '../../ui/value.ts'

export const inventoryStore = createKeyedStore<EnhancedInventory>()
export const loading = createValue<{ state: 'loading' | 'ready' | 'error'; text?: string }>({
  state: 'loading',
})

const pageSize = 500

export async function loadInventories(): Promise<void> {
  try {
    const found: EnhancedInventory[] = []
    let total = Number.POSITIVE_INFINITY
    while (found.length < total) {
      const page = await call(calls.enhanced, { query: { limit: pageSize, offset: found.length } })
      if (page.items.length === 0) break
      found.push(...page.items)
      total = page.total
    }
    inventoryStore.replaceAll(found.map((inventory) => [inventory.id, inventory]))
    inventoryStore.flush()
    loading.set({ state: 'ready' })
  } catch (error) {
    loading.set({ state: 'error', text: faultWords(describeFault(error)) })
  }
}

/** Runs a change and reads the list anew; answers what went wrong, if anything did. */
async function change(run: () => Promise<unknown>): Promise<Fault | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return describeFault(error)
  } finally {
    await loadInventories()
  }
}

export type InventoryWish = Required<InventoryChange> & { properties: InventoryProperties }

/** Adds an inventory, or brings one to what is wished: all of it or nothing. */
export const saveInventory = (id: string | undefined, wish: InventoryWish): Promise<Fault | undefined> =>
  change(() =>
    id === undefined
      ? call(calls.create, { body: wish })
      : call(calls.update, { params: { id }, body: wish }),
  )

export const removeInventory = (id: string): Promise<Fault | undefined> =>
  change(() => call(calls.remove, { params: { id } }))

/** Secondaries stand below their parent. */
export function byFamily(a: EnhancedInventory, b: EnhancedInventory): number {
  const family = (one: EnhancedInventory) => one.parentName ?? one.name
  return (
    compareTexts(family(a), family(b)) ||
    Number(a.parent !== null) - Number(b.parent !== null) ||
    compareTexts(a.name, b.name)
  )
}
