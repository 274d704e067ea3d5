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
  /** Every group is here. */
  isWhole: boolean
  /** How many the last search found. */
  total: number
}

/** So many are searched where they are shown; of more, core is asked for those that are meant. */
export const shownAtMost = 1000

export const groupStore = createKeyedStore<ListedGroup>()
export const groupListState = createValue<ListState>({
  state: 'loading',
  inventories: [],
  isWhole: true,
  total: 0,
})

/** The dialog that another screen asks the list of groups to open. */
export const groupDialogAsked = createValue<{ uid: string; tab: 'channels' } | null>(null)

let asked = ''

/** `search` is what core looks for in the names, empty for all; a list that is read again is searched as before. */
export async function loadGroupList(search = asked): Promise<void> {
  asked = search
  try {
    const [{ items, total }, inventories] = await Promise.all([
      call(calls.list, { query: { limit: shownAtMost, search } }),
      call(groupCalls.inventories, { query: { limit: shownAtMost } }),
    ])
    if (search !== asked) return
    const names = new Map(inventories.map(({ id, name }) => [id, name]))
    groupStore.replaceAll(
      items.map(
        (group) => [group.uid, { ...group, inventoryName: names.get(group.inventory) ?? '' }] as const,
      ),
    )
    groupStore.flush()
    groupListState.set({
      state: 'ready',
      inventories,
      isWhole: search === '' && total <= shownAtMost,
      total,
    })
  } catch (error) {
    if (search !== asked) return
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

/** GAP-GROUP-06: core refuses while something of it is at work. */
export const removeGroup = (id: string): Promise<Fault | undefined> =>
  afterwards(call(calls.removeNewForm, { params: { id } }))
