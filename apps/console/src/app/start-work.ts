// Background work of a signed-in session: groups are read, and everything that belongs to a group follows it.

import { mayDo } from '@backhaul/contract/define/actions'
import { push } from '../doors/push.ts'
import { enterAlertsOf } from '../fleet/alerts/alerts.ts'
import { loadChannels } from '../fleet/channels/channels.ts'
import { enterUnits, startUnits } from '../fleet/units/units.ts'
import { groupsState, loadGroups, refreshGroups } from '../people/groups/groups.ts'
import { refreshSignedIn, signedIn } from '../session/sign-ins/sign-ins.ts'
import { setClockOffset } from '../ui/seconds.ts'
import { rolesChanged } from './roles-changed.ts'

let entered: string | null = null

function followGroup(): void {
  const uid = groupsState.get().current?.uid
  if (uid === undefined || uid === entered) return
  entered = uid
  enterUnits(uid)
  if (mayDo(signedIn.get()?.configuration.loggedUserRoles ?? [], 'viewUnits')) enterAlertsOf(uid)
  void loadChannels(uid)
}

/** Groups, units, alerts and channels are read again. */
export function workAgain(): void {
  entered = null
  void loadGroups()
}

/** Screens of a role that the user lost are left, those of a new one appear, without a reload. */
export async function refreshRights(): Promise<void> {
  const groupsBefore = `${signedIn.get()?.user.groups}`
  if (await refreshSignedIn()) rolesChanged()
  if (`${signedIn.get()?.user.groups}` !== groupsBefore) await refreshGroups()
}

/** Core reports when the user's roles or groups change; this does not wait for it. */
function followRights(): void {
  const userId = signedIn.get()?.user.id
  if (userId === undefined) return
  push.subscribe(`user.${userId}`, (message) => {
    const { rightsChangedAt } = message.data as { rightsChangedAt?: number | null }
    if (rightsChangedAt) void refreshRights().catch(() => {})
  })
}

export function startWork(): void {
  startUnits()
  groupsState.subscribe(followGroup)
  push.onLink(() => setClockOffset(push.clockOffsetMs()))
  push.onResumed(() => {
    if (entered !== null) void loadChannels(entered)
  })
  // Subscriptions come after the calls for the group (GAP-API-20).
  void loadGroups().then(followRights)
}
