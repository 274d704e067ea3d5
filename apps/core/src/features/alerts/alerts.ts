// Alerts: what is wrong now with units and servers, raised and cleared by rules, on the topics of unit and group.
import { randomBytes } from 'node:crypto'
import { type Alert, byUrgency } from '@backhaul/contract/nouns/alerts'
import { isActiveForAlerts } from '@backhaul/contract/nouns/unit-status'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Events } from '../../events.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Groups } from '../groups/groups.ts'
import type { Units } from '../units/units.ts'
import { type StandingAlert, serverAlerts, unitAlerts } from './alert-rules.ts'
import { clearAlert, insertAlert, standingAlerts } from './alert-table.ts'

export interface Alerts {
  /** Critical first; throws NotFound for a group that the caller may not know of. */
  active(scope: Scope, groupId: string): Promise<Alert[]>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  devices: Devices
  units: Units
}

/** What the rules need to remember of a unit that sends. */
interface Watched {
  kbps: number[]
  cameraGoneSinceMs: number | undefined
}

const minuteOfSeconds = 60

export function createAlerts({ db, clock, log, events, groups, devices, units }: Needs): Alerts {
  /** Only devices with something wrong are in it. */
  const standing = new Map<string, Alert[]>()
  const watched = new Map<string, Watched>()
  let writing: Promise<void> = Promise.resolve()

  function write(run: () => Promise<void>): void {
    writing = writing.then(run).catch((error) => log.error({ err: error }, 'alert not written'))
  }

  /** Makes the device's alerts those that stand now; an alert that stays keeps its id and its time. */
  function settle(device: Device, now: readonly StandingAlert[]): void {
    const before = standing.get(device.id)
    if (!before && now.length === 0) return
    const nowMs = clock.nowMs()
    const after = now.map((alert): Alert => {
      const known = before?.find(({ type, severity }) => type === alert.type && severity === alert.severity)
      if (known) return { ...known, name: device.name, value: alert.value }
      const id = `al-${randomBytes(9).toString('base64url')}`
      return { id, uid: device.id, name: device.name, since: nowMs, ...alert }
    })
    after.sort(byUrgency)
    note(device, before ?? [], after, nowMs)
    if (after.length === 0) standing.delete(device.id)
    else standing.set(device.id, after)
    publish(device, after)
  }

  function note(device: Device, before: readonly Alert[], after: readonly Alert[], nowMs: number): void {
    for (const alert of after) {
      if (before.some(({ id }) => id === alert.id)) continue
      write(() => insertAlert(db, alert))
      if (device.kind === 'unit')
        units.addEvent(device.id, 'alert', `${alert.type} ${alert.severity}`, alert.severity)
    }
    for (const { id, type } of before) {
      if (after.some((alert) => alert.id === id)) continue
      write(() => clearAlert(db, id, nowMs))
      const isWorse = after.some((alert) => alert.type === type)
      if (device.kind === 'unit' && !isWorse) units.addEvent(device.id, 'alert', `${type} cleared`)
    }
  }

  function publish(device: Device, alerts: Alert[]): void {
    if (device.kind === 'unit') units.setAlerts(device.id, alerts)
    for (const groupId of groupsOf(device)) publishGroup(groupId)
  }

  const groupsOf = ({ id, kind, details }: Device): readonly string[] =>
    kind === 'unit' ? devices.memberships.groupsOf('unit', id) : (details.groups ?? [])

  function ofGroup(groupId: string): Alert[] {
    return [...standing]
      .flatMap(([id, alerts]) => {
        const device = devices.get(id)
        return device && groupsOf(device).includes(groupId) ? alerts : []
      })
      .sort(byUrgency)
  }

  const publishGroup = (groupId: string) =>
    void devices.memberships.topicOf(groupId).set({ alerts: ofGroup(groupId) })

  function look(device: Device): void {
    const unit = units.values(device.id)
    if (!unit) return
    const { kbps = [], cameraGoneSinceMs } = watched.get(device.id) ?? {}
    const { battery } = unit
    settle(device, unitAlerts({ unit, battery, kbps, cameraGoneSinceMs, nowMs: clock.nowMs() }))
  }

  /** Only a unit that is active for alerts has a minute worth remembering. */
  function remember(unitId: string): void {
    const unit = units.values(unitId)
    if (!unit || !isActiveForAlerts(unit)) return void watched.delete(unitId)
    const known = watched.get(unitId) ?? { kbps: [], cameraGoneSinceMs: undefined }
    known.kbps.push(unit.uplink?.kbps ?? 0)
    if (known.kbps.length > minuteOfSeconds) known.kbps.shift()
    const isGone = unit.camera?.connected === false
    known.cameraGoneSinceMs = isGone ? (known.cameraGoneSinceMs ?? clock.nowMs()) : undefined
    watched.set(unitId, known)
  }

  events.on('deviceSaid', ({ deviceId, message }) => {
    const device = devices.get(deviceId)
    if (!device) return
    if (message.type === 'telemetry') {
      remember(deviceId)
      look(device)
    } else if (message.type === 'report') look(device)
    else if (message.type === 'serverTelemetry') settle(device, serverAlerts(message.usage))
  })
  events.on('deviceClosed', ({ deviceId, kind }) => {
    const device = devices.get(deviceId)
    if (!device) return
    watched.delete(deviceId)
    if (kind === 'unit') look(device)
    else settle(device, [])
  })
  events.on('groupChanged', ({ groupId }) => {
    if (standing.size > 0) publishGroup(groupId)
  })

  return {
    async active(scope, groupId) {
      await groups.get(scope, groupId)
      return ofGroup(groupId)
    },
    async start() {
      for (const alert of await standingAlerts(db)) {
        const device = devices.get(alert.uid)
        if (!device) continue
        standing.set(alert.uid, [...(standing.get(alert.uid) ?? []), { ...alert, name: device.name }])
      }
      for (const [id, alerts] of standing) publish(devices.get(id) as Device, alerts)
    },
    async stop() {
      await writing
    },
  }
}
