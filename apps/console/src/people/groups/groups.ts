// The working context: the groups a user may work in, and the one chosen now.
import { client } from '@backhaul/contract/api/client'
import { gate, type PropertyFeature } from '@backhaul/contract/nouns/gates'
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { propertiesOf } from '@backhaul/contract/nouns/inventories'
import { call } from '../../doors/api.ts'
import { preferences, setPreferences } from '../../session/preferences/preferences.ts'
import { signedIn } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { compareTexts } from '../../ui/locale.ts'
import { createValue, useValue } from '../../ui/value.ts'

export interface GroupsState {
  state: 'loading' | 'ready' | 'error'
  groups: readonly LightGroup[]
  current: LightGroup | null
  features: Readonly<Record<string, boolean>>
}

const nothing: GroupsState = { state: 'loading', groups: [], current: null, features: {} }

export const groupsState = createValue<GroupsState>(nothing)

/** Why the customer of the current group does not have a feature; undefined when they have it, and until it is known. */
export function useClosed(feature: PropertyFeature): string | undefined {
  const reason = disabledBecause(useGroups(), feature)
  return reason && reasonText(reason)
}

const disabledBecause = ({ features }: GroupsState, feature: PropertyFeature) =>
  Object.keys(features).length === 0 ? undefined : gate(feature, { properties: propertiesOf(features) })

export const isClosedTo = (groups: GroupsState, feature: PropertyFeature): boolean =>
  disabledBecause(groups, feature) !== undefined

/** The remembered group when the user still has it, else the first by name, of those they belong to before others. */
export function chooseGroup(
  groups: readonly LightGroup[],
  remembered: string | null,
  own: readonly string[],
): LightGroup | null {
  const known = groups.find(({ uid }) => uid === remembered)
  if (known) return known
  const byName = [...groups].sort((a, b) => compareTexts(a.name, b.name))
  return byName.find(({ uid }) => own.includes(uid)) ?? byName[0] ?? null
}

export async function loadGroups(): Promise<void> {
  groupsState.set({ ...groupsState.get(), state: 'loading' })
  const groups = await call(client.lightGroups, {}).catch(() => undefined)
  if (groups === undefined) {
    groupsState.set({ ...groupsState.get(), state: 'error' })
    return
  }
  groupsState.set({ ...nothing, state: 'ready', groups })
  const current = chooseGroup(groups, preferences.get().groupId, signedIn.get()?.user.groups ?? [])
  if (current) enterGroup(current)
}

/** Reads names and the choice of groups again, while the work in the current group continues. */
export async function refreshGroups(): Promise<void> {
  const groups = await call(client.lightGroups, {}).catch(() => undefined)
  if (groups === undefined) return
  const before = groupsState.get()
  const current = groups.find(({ uid }) => uid === before.current?.uid)
  if (!current) return await loadGroups()
  groupsState.set({ ...before, groups, current })
  readFeatures(current)
}

/** All data of the page follow the group (GAP-GROUP-08). */
export function enterGroup(group: LightGroup): void {
  // Their call comes before those of what follows the group (GAP-API-20).
  readFeatures(group)
  groupsState.set({ ...groupsState.get(), current: group, features: {} })
  if (preferences.get().groupId !== group.uid) {
    const { uid: groupId, inventoryId, inventoryName } = group
    setPreferences({ groupId, inventoryId, inventoryName })
  }
}

function readFeatures(group: LightGroup): void {
  call(client.groupFeatures, { query: { uid: group.uid } }).then(
    (features) => {
      if (groupsState.get().current?.uid === group.uid) groupsState.set({ ...groupsState.get(), features })
    },
    () => {},
  )
}

export function useGroups(): GroupsState {
  return useValue(groupsState)
}
