// The customers as vendor staff administers them: read when the screen opens and after each change.
import { inventories as calls } from '@backhaul/contract/api/inventories'
import type {
  EnhancedInventory,
  InventoryChange,
  InventoryProperties,
} from '@backhaul/contract/nouns/inventories'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { refreshGroups } from '../../people/groups/groups.ts'
import { compareTexts } from '../../ui/locale.ts'

export const inventories = createList(
  'inventories',
  () => readAll((query) => call(calls.enhanced, { query })),
  ({ id }) => id,
)

export type InventoryRequest = Required<InventoryChange> & { properties: InventoryProperties }

/** Adds an inventory, or changes one to the request: all of it or nothing. */
export async function saveInventory(
  id: string | undefined,
  request: InventoryRequest,
): Promise<Fault | undefined> {
  const refused = await inventories.change(() =>
    id === undefined
      ? call(calls.create, { body: request })
      : call(calls.update, { params: { id }, body: request }),
  )
  // Its name is shown at its groups, and its properties decide what they may use.
  if (!refused) await refreshGroups()
  return refused
}

export const removeInventory = (id: string): Promise<Fault | undefined> =>
  inventories.change(() => call(calls.remove, { params: { id } }))

/** Secondaries come below their parent. */
export function byFamily(a: EnhancedInventory, b: EnhancedInventory): number {
  const family = (one: EnhancedInventory) => one.parentName ?? one.name
  return (
    compareTexts(family(a), family(b)) ||
    Number(a.parent !== null) - Number(b.parent !== null) ||
    compareTexts(a.name, b.name)
  )
}
