// The active alerts, by device and by group; a group's list is published once for all that changed within a tick.
import { type Alert, byUrgency } from '@backhaul/contract/nouns/alerts'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Devices } from '../devices/devices.ts'

/** An alert and the groups whose configuration shows it. */
export interface Shown {
  alert: Alert
  groups: readonly string[]
  /** For an alert about the bit rate: the rate before it fell. */
  usualKbps?: number | undefined
}

export interface GroupAlerts {
  /** Only devices with something wrong are in it. */
  readonly standing: ReadonlyMap<string, readonly Shown[]>
  put(deviceId: string, shown: readonly Shown[]): void
  /** Critical first. */
  ofGroup(groupId: string): Alert[]
  /** Its members changed. */
  publishSoon(groupId: string): void
  stop(): void
}

const tickMs = 100
const none: readonly Shown[] = []

export function createGroupAlerts(
  clock: Clock,
  memberships: Devices['memberships'],
  isMember: (deviceId: string, groupId: string) => boolean,
): GroupAlerts {
  const standing = new Map<string, readonly Shown[]>()
  const devicesByGroup = new Map<string, Set<string>>()
  const changed = new Set<string>()
  let timer: Timer | undefined

  function ofGroup(groupId: string): Alert[] {
    const alerts: Alert[] = []
    for (const deviceId of devicesByGroup.get(groupId) ?? []) {
      if (!isMember(deviceId, groupId)) continue
      for (const { alert, groups } of standing.get(deviceId) ?? none)
        if (groups.includes(groupId)) alerts.push(alert)
    }
    return alerts.sort(byUrgency)
  }

  function publish(): void {
    timer = undefined
    const there = new Set(memberships.groupIds())
    for (const groupId of changed)
      if (there.has(groupId)) memberships.topicOf(groupId).set({ alerts: ofGroup(groupId) })
    changed.clear()
  }

  function publishSoon(groupId: string): void {
    changed.add(groupId)
    timer ??= clock.setTimeout(publish, tickMs)
  }

  return {
    standing,
    put(deviceId, shown) {
      for (const { groups } of standing.get(deviceId) ?? none) {
        for (const groupId of groups) {
          devicesByGroup.get(groupId)?.delete(deviceId)
          publishSoon(groupId)
        }
      }
      for (const { groups } of shown) {
        for (const groupId of groups) {
          devicesByGroup.set(groupId, (devicesByGroup.get(groupId) ?? new Set()).add(deviceId))
          publishSoon(groupId)
        }
      }
      if (shown.length === 0) standing.delete(deviceId)
      else standing.set(deviceId, shown)
    },
    ofGroup,
    publishSoon,
    stop: () => clock.clearTimeout(timer),
  }
}
