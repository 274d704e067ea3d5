// The groups that an administrator looks after, as a list that is read again after each change.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { groups as groupCalls } from '@backhaul/contract/api/groups'
import type { Group } from '@backhaul/contract/nouns/groups'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'
import { refreshGroups } from './groups.ts'

export interface ListedGroup extends Group {
  inventoryName: string
}

export interface InventoryChoice {
  id: string
  name: string
}

interface ListState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  inventories: readonly InventoryChoice[]
}

/** As many as core gives in one answer. */
const pageSize = 1000

export const groupStore = createKeyedStore<ListedGroup>()
export const groupListState = createValue<ListState>({ state: 'loading', inventories: [] })

async function readAll(): Promise<Group[]> {
  const all: Group[] = []
  for (;;) {
    const { items, total } = await call(calls.list, { query: { limit: pageSize, offset: all.length } })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

export async function loadGroupList(): Promise<void> {
  try {
    const [list, inventories] = await Promise.all([
      readAll(),
      call(groupCalls.inventories, { query: { limit: pageSize } }),
    ])
    const names = new Map(inventories.map(({ id, name }) => [id, name]))
    groupStore.replaceAll(
      list.map(
        (group) => [group.uid, { ...group, inventoryName: names.get(group.inventory) ?? '' }] as const,
      ),
    )
    groupStore.flush()
    groupListState.set({ state: 'ready', inventories })
  } catch (error) {
    groupListState.set({
      ...groupListState.get(),
      state: 'error',
      errorText: faultWords(describeFault(error)),
    })
  }
}

/** Answers what went wrong; the list and the group switcher follow what went well. */
export async function afterwards(change: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await change
  } catch (error) {
    return describeFault(error)
  }
  await Promise.all([loadGroupList(), refreshGroups()])
}
