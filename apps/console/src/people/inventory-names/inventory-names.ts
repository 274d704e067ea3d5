// Names of the user's inventories, and the one that they work in now (EP-NOTIF-02).
import { groups as calls } from '@backhaul/contract/api/groups'
import { call } from '../../doors/api.ts'
import { useAnswer } from '../../doors/reads.ts'
import { preferences, setPreferences } from '../../session/preferences/preferences.ts'
import { createValue, useValue } from '../../ui/value.ts'

export interface InventoryChoice {
  id: string
  name: string
}

/** The customers in the scope of the user, by name. */
export const inventoryChoices = createValue<readonly InventoryChoice[]>([])

/** The most items that core gives in one answer. */
const inventoriesAtMost = 1000

export const inventoryName = (id: string): string =>
  inventoryChoices.get().find((one) => one.id === id)?.name ?? ''

/** The most likely inventory of a new object. */
export function likelyInventory(): string {
  const choices = inventoryChoices.get()
  const { inventoryId } = preferences.get()
  return (choices.find(({ id }) => id === inventoryId) ?? choices[0])?.id ?? ''
}

/** A failure goes up. */
export async function loadInventoryNames(): Promise<void> {
  inventoryChoices.set(await call(calls.inventories, { query: { limit: inventoriesAtMost } }))
}

/** Reads them again for a screen that needs them. */
export function useInventoryNames() {
  const { errorText, again } = useAnswer(['inventoryNames'], async () => {
    await loadInventoryNames()
    return true
  })
  return { choices: useValue(inventoryChoices), errorText, again }
}

/**
 * Makes the remembered name of the current inventory the one that it has now: requested by the remembered name, and among
 * all when it has another by now. A name that cannot be read is kept.
 */
export async function resolveCurrentInventory(): Promise<void> {
  const { inventoryId, inventoryName: remembered } = preferences.get()
  if (inventoryId === null) return
  const limit = inventoriesAtMost
  const nameAmong = async (name?: string) =>
    (await call(calls.inventories, { query: { limit, name } })).find(({ id }) => id === inventoryId)?.name
  const name = (remembered && (await nameAmong(remembered))) || (await nameAmong())
  if (name !== undefined && name !== remembered && preferences.get().inventoryId === inventoryId)
    setPreferences({ inventoryName: name })
}
