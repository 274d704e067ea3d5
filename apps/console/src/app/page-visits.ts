// Page visits for whoever wants to count them. Nothing is sent anywhere unless a sink is plugged in (GAP-NAV-03).

import { groupsState } from '../features/groups/groups.ts'
import { preferences } from '../features/preferences/preferences.ts'
import { signedIn } from '../features/sign-in/sign-in.ts'
import { isUnsavedPath } from './routes.ts'

export interface PageVisit {
  route: string
  userId: string | null
  inventoryId: string | null
  groupId: string | null
  unitId: string | null
}

type Sink = (visit: PageVisit) => void

let sink: Sink | undefined

/** undefined switches the counting off again. */
export function setPageVisitSink(next: Sink | undefined): void {
  sink = next
}

export function reportPageVisit(pathname: string): void {
  if (!sink || isUnsavedPath(pathname)) return
  const group = groupsState.get().current
  sink({
    route: pathname,
    userId: signedIn.get()?.configuration.userId ?? null,
    inventoryId: group?.inventoryId ?? null,
    groupId: group?.uid ?? null,
    unitId: preferences.get().lastSelectedUnit,
  })
}
