// What runs while somebody is signed in: groups are read, and everything that belongs to a group follows it.

import { mayDo } from '@backhaul/contract/nouns/actions'
import { push } from '../doors/push.ts'
import { enterAlertsOf } from '../features/alerts/alerts.ts'
import { loadChannels } from '../features/channels/channels.ts'
import { groupsState, loadGroups } from '../features/groups/groups.ts'
import { signedIn } from '../features/sign-in/sign-in.ts'
import { enterUnits, startUnits } from '../features/units/units.ts'
import { setClockOffset } from '../ui/seconds.ts'

let entered: string | null = null

function followGroup(): void {
  const uid = groupsState.get().current?.uid
  if (uid === undefined || uid === entered) return
  entered = uid
  enterUnits(uid)
  if (mayDo(signedIn.get()?.configuration.loggedUserRoles ?? [], 'viewUnits')) enterAlertsOf(uid)
  void loadChannels(uid)
}

/** Groups, units, alerts and channels are read anew. */
export function workAgain(): void {
  entered = null
  void loadGroups()
}

export function startWork(): void {
  startUnits()
  groupsState.subscribe(followGroup)
  push.onLink(() => setClockOffset(push.clockOffsetMs()))
  push.onResumed(() => {
    if (entered !== null) void loadChannels(entered)
  })
  void loadGroups()
}
