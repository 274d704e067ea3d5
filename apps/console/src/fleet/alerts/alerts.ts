// The active alerts of the group, critical first, and the sound of a new one.
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { type Alert, byUrgency } from '@backhaul/contract/nouns/alerts'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
import { preferences } from '../../session/preferences/preferences.ts'
import { createValue } from '../../ui/value.ts'
import { playAlertSound } from './alert-sound.ts'

export const activeAlerts = createValue<readonly Alert[]>([])

/** Whether the list of the group has come. */
let isRead = false
let stop: () => void = () => {}

export function enterAlertsOf(groupId: string): void {
  stop()
  isRead = false
  activeAlerts.set([])
  const accept = (list: readonly Alert[]) => {
    const sorted = [...list].sort(byUrgency)
    if (isRead) soundFor(newAlerts(activeAlerts.get(), sorted))
    isRead = true
    activeAlerts.set(sorted)
  }
  const unsubscribe = push.subscribe(`group.${groupId}`, (message) => {
    const { alerts } = message.data as { alerts?: Alert[] }
    if (message.kind === 'alerts' && alerts) accept(alerts)
  })
  let left = false
  stop = () => {
    left = true
    unsubscribe()
  }
  // The push may have been quicker; the answer of the call only fills the gap before it.
  call(alertCalls.active, { query: { groupId } }).then(
    (list) => !left && !isRead && accept(list),
    () => {},
  )
}

/**
 * A unit sends all its alerts to every console that shows it; users are shown those of their group, as soon as those are
 * known.
 */
export const shownAlerts = (unitId: string, all: readonly Alert[]): Alert[] =>
  isRead ? activeAlerts.get().filter(({ uid }) => uid === unitId) : [...all]

export function newAlerts(before: readonly Alert[], now: readonly Alert[]): Alert[] {
  const known = new Set(before.map((alert) => alert.id))
  return now.filter((alert) => !known.has(alert.id))
}

/** One sound for however many came at once: that of the gravest whose sound is on (CO-ALRT-09, CO-ALRT-10). */
function soundFor(fresh: readonly Alert[]): void {
  const sounds = preferences.get().unitAlertsSoundSettings
  if (sounds.critical && fresh.some((alert) => alert.severity === 'critical')) playAlertSound('critical')
  else if (sounds.warning && fresh.some((alert) => alert.severity === 'warning')) playAlertSound('warning')
}
