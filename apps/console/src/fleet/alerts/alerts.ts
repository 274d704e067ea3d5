// The active alerts of the group, critical first, but those that the user closed; and the sound of a new one.
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { type Alert, type AlertSeverity, byUrgency } from '@backhaul/contract/nouns/alerts'
import { CLOSED_ALERTS_MAX } from '@backhaul/contract/nouns/preference-defaults'
import { call } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
import { preferences, setPreferences } from '../../session/preferences/preferences.ts'
import { createValue } from '../../ui/value.ts'
import { playAlertSound } from './alert-sound.ts'

export const activeAlerts = createValue<readonly Alert[]>([])
/** Number of active alerts of the group that the user has closed. */
export const closedCount = createValue(0)

/** True once the list of the group has come. */
let isRead = false
let ofGroup: readonly Alert[] = []
let stop: () => void = () => {}

/** Alerts that the user has not closed. */
const openAlerts = (all: readonly Alert[], closed: readonly string[]): readonly Alert[] =>
  closed.length === 0 ? all : all.filter(({ id }) => !closed.includes(id))

function show(): void {
  const open = openAlerts(ofGroup, preferences.get().alertsClosed)
  closedCount.set(ofGroup.length - open.length)
  if (open.map(keyOf).join() !== activeAlerts.get().map(keyOf).join()) activeAlerts.set(open)
}

/** Differs when an alert is to be shown otherwise. */
export const keyOf = ({ id, value, name, about, reason }: Alert): string =>
  [id, value, name, about?.name, reason].join(' ')

/** Closes an alert for this user, in every browser; it comes back when it is raised again (GAP-ALERT-06). */
export function closeAlert(id: string): void {
  const { alertsClosed } = preferences.get()
  setPreferences({ alertsClosed: [...alertsClosed, id].slice(-CLOSED_ALERTS_MAX) })
}

export const reopenAlerts = (): void => setPreferences({ alertsClosed: [] })

export function enterAlertsOf(groupId: string): void {
  stop()
  isRead = false
  ofGroup = []
  show()
  const accept = (list: readonly Alert[]) => {
    const sorted = [...list].sort(byUrgency)
    if (isRead) soundFor(newAlerts(ofGroup, sorted).map(({ severity }) => severity))
    isRead = true
    ofGroup = sorted
    show()
  }
  const unfollow = preferences.subscribe(show)
  const unsubscribe = push.subscribe(`group.${groupId}`, (message) => {
    const { alerts } = message.data as { alerts?: Alert[] }
    if (message.kind === 'alerts' && alerts) accept(alerts)
  })
  let left = false
  stop = () => {
    left = true
    unsubscribe()
    unfollow()
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
  isRead
    ? activeAlerts.get().filter(({ uid }) => uid === unitId)
    : [...openAlerts(all, preferences.get().alertsClosed)]

export function newAlerts(before: readonly Alert[], now: readonly Alert[]): Alert[] {
  const known = new Set(before.map((alert) => alert.id))
  return now.filter((alert) => !known.has(alert.id))
}

/** One sound for however many came at once: that of the gravest whose sound is on (CO-ALRT-09, CO-ALRT-10). */
export function soundFor(severities: readonly AlertSeverity[]): void {
  const sounds = preferences.get().unitAlertsSoundSettings
  if (sounds.critical && severities.includes('critical')) playAlertSound('critical')
  else if (sounds.warning && severities.includes('warning')) playAlertSound('warning')
}
