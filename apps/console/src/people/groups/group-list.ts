// The groups that an administrator looks after, as a list that is read again after each change.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { groups as groupCalls } from '@backhaul/contract/api/groups'
import type { Group } from '@backhaul/contract/nouns/groups'
import { call, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'
import { createValue } from '../../ui/value.ts'
import { refreshGroups } from './groups.ts'

export interface ListedGroup extends Group {
  inventoryName: string
}

export interface InventoryChoice {
  id: string
  name: string
}

/** A list of at most this many is searched where it is shown, a longer one by core. */
export const shownAtMost = 1000

/** The dialog that another screen requests from the list of groups. */
export const groupDialogAsked = createValue<{ uid: string; tab: 'channels' } | null>(null)

export const groupList = createList(
  'groups',
  async (search: string) => {
    const [{ items, total }, inventories] = await Promise.all([
      call(calls.list, { query: { limit: shownAtMost, search } }),
      call(groupCalls.inventories, { query: { limit: shownAtMost } }),
    ])
    const names = new Map(inventories.map(({ id, name }) => [id, name]))
    const named = items.map(
      (group): ListedGroup => ({ ...group, inventoryName: names.get(group.inventory) ?? '' }),
    )
    return { items: named, total, inventories }
  },
  ({ uid }) => uid,
)

/** Answers what went wrong; the list and the group switcher follow what went well. */
export async function afterwards(change: Promise<unknown>): Promise<Fault | undefined> {
  const refused = await groupList.change(() => change)
  if (refused === undefined) await refreshGroups()
  return refused
}

/** GAP-GROUP-06: core refuses while something of it is at work. */
export const removeGroup = (id: string): Promise<Fault | undefined> =>
  afterwards(call(calls.removeNewForm, { params: { id } }))
