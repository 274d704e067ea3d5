// Alerts: what is wrong now with units and servers, raised and cleared by rules, on the topics of unit and group.
import { randomBytes } from 'node:crypto'
import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { type Alert, byUrgency } from '@backhaul/contract/nouns/alerts'
import { isActiveForAlerts } from '@backhaul/contract/nouns/unit-status'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Events } from '../../events.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Groups } from '../groups/groups.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Units } from '../units/units.ts'
import { type Configurations, createConfigurations } from './alert-configurations.ts'
import { createAlertMails } from './alert-mails.ts'
import { type ServerUsage, type StandingAlert, serverAlerts, unitAlerts } from './alert-rules.ts'
import { clearAlert, insertAlert, saveAlertGroups, standingAlerts } from './alert-table.ts'

export interface Alerts {
  /** Critical first; throws NotFound for a group that the caller may not know of. */
  active(scope: Scope, groupId: string): Promise<Alert[]>
  readonly configurations: Configurations
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
  outbox: Outbox
}

/** What the rules need to remember of a unit that sends. */
interface Watched {
  kbps: number[]
  cameraGoneSinceMs: number | undefined
}

/** An alert and the groups whose configuration shows it. */
interface Shown {
  alert: Alert
  groups: readonly string[]
}

const minuteOfSeconds = 60

export function createAlerts(needs: Needs): Alerts {
  const { db, clock, log, events, groups, devices, units } = needs
  /** Only devices with something wrong are in it. */
  const standing = new Map<string, Shown[]>()
  const watched = new Map<string, Watched>()
  const usages = new Map<string, ServerUsage>()
  const configurations = createConfigurations({ db, groups, devices, units, lookAgain })
  const mails = createAlertMails({ ...needs, recipients: groups.recipients, ofGroup })
  let writing: Promise<void> = Promise.resolve()

  function write(run: () => Promise<void>): void {
    writing = writing.then(run).catch((error) => log.error({ err: error }, 'alert not written'))
  }

  /** Makes the device's alerts those that stand now; an alert that stays keeps its id and its time. */
  function settle(device: Device, rule: (by: AlertsConfiguration) => StandingAlert[]): void {
    const before = standing.get(device.id) ?? []
    const now = standingFor(device, rule)
    if (before.length === 0 && now.length === 0) return
    const nowMs = clock.nowMs()
    const after = now.map(({ groups: shownIn, ...alert }): Shown => {
      const known = before.find(({ alert: one }) => isSame(one, alert))?.alert
      if (known) return { alert: { ...known, name: device.name, value: alert.value }, groups: shownIn }
      const id = `al-${randomBytes(9).toString('base64url')}`
      return { alert: { id, uid: device.id, name: device.name, since: nowMs, ...alert }, groups: shownIn }
    })
    after.sort((one, other) => byUrgency(one.alert, other.alert))
    note(device, before, after, nowMs)
    if (after.length === 0) standing.delete(device.id)
    else standing.set(device.id, after)
    publish(device, after)
  }

  /** What stands by the configuration of at least one group of the device, or by its own and the default without any. */
  function standingFor(
    device: Device,
    rule: (by: AlertsConfiguration) => StandingAlert[],
  ): (StandingAlert & { groups: string[] })[] {
    const found: (StandingAlert & { groups: string[] })[] = []
    const groupIds = groupsOf(device)
    for (const groupId of groupIds.length > 0 ? groupIds : [undefined]) {
      for (const alert of rule(configurations.holding(device, groupId))) {
        const same = found.find((one) => isSame(one, alert))
        const shownIn = groupId === undefined ? [] : [groupId]
        if (same) same.groups.push(...shownIn)
        else found.push({ ...alert, groups: shownIn })
      }
    }
    return found
  }

  function note(device: Device, before: readonly Shown[], after: readonly Shown[], nowMs: number): void {
    for (const { alert, groups: shownIn } of after) {
      const known = before.find((one) => one.alert.id === alert.id)
      if (known) {
        if (known.groups.join() !== shownIn.join()) write(() => saveAlertGroups(db, alert, shownIn))
        continue
      }
      write(() => insertAlert(db, alert, shownIn))
      if (device.kind === 'unit')
        units.addEvent(device.id, 'alert', `${alert.type} ${alert.severity}`, alert.severity)
    }
    for (const { alert } of before) {
      if (after.some((one) => one.alert.id === alert.id)) continue
      write(() => clearAlert(db, alert.id, nowMs))
      const isWorse = after.some((one) => one.alert.type === alert.type)
      if (device.kind === 'unit' && !isWorse) units.addEvent(device.id, 'alert', `${alert.type} cleared`)
    }
  }

  function publish(device: Device, shown: readonly Shown[]): void {
    if (device.kind === 'unit')
      units.setAlerts(
        device.id,
        shown.map(({ alert }) => alert),
      )
    for (const groupId of groupsOf(device)) publishGroup(groupId)
  }

  const groupsOf = ({ id, kind, details }: Device): readonly string[] =>
    kind === 'unit' ? devices.memberships.groupsOf('unit', id) : (details.groups ?? [])

  function ofGroup(groupId: string): Alert[] {
    return [...standing]
      .flatMap(([id, shown]) => {
        const device = devices.get(id)
        if (!device || !groupsOf(device).includes(groupId)) return []
        return shown.filter((one) => one.groups.includes(groupId)).map(({ alert }) => alert)
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
    const situation = { unit, battery, kbps, cameraGoneSinceMs, nowMs: clock.nowMs() }
    settle(device, (by) => unitAlerts(situation, by))
  }

  function lookAgain(device: Device): void {
    if (device.kind === 'unit') look(device)
    else settle(device, (by) => serverAlerts(usages.get(device.id) ?? null, by))
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
    else if (message.type === 'serverTelemetry') {
      usages.set(deviceId, message.usage)
      lookAgain(device)
    }
  })
  events.on('deviceClosed', ({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return
    watched.delete(deviceId)
    usages.delete(deviceId)
    lookAgain(device)
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    watched.delete(deviceId)
    usages.delete(deviceId)
    const shown = standing.get(deviceId) ?? []
    standing.delete(deviceId)
    for (const groupId of new Set(shown.flatMap((one) => one.groups))) publishGroup(groupId)
  })
  events.on('groupChanged', ({ groupId, joined }) => {
    const device = joined?.kind === 'unit' ? devices.get(joined.memberId) : undefined
    if (device) look(device)
    if (standing.size > 0) publishGroup(groupId)
  })
  events.on('membersLeft', ({ groupId }) => publishGroup(groupId))

  return {
    async active(scope, groupId) {
      await groups.get(scope, groupId)
      return ofGroup(groupId)
    },
    configurations,
    async start() {
      await configurations.start()
      for (const { groups: shownIn, ...kept } of await standingAlerts(db)) {
        const device = devices.get(kept.uid)
        if (!device) continue
        const shown = { alert: { ...kept, name: device.name }, groups: shownIn ?? groupsOf(device) }
        standing.set(kept.uid, [...(standing.get(kept.uid) ?? []), shown])
      }
      for (const [id, shown] of standing) publish(devices.get(id) as Device, shown)
      mails.start()
    },
    async stop() {
      await mails.stop()
      await writing
    },
  }
}

const isSame = (one: StandingAlert, other: StandingAlert): boolean =>
  one.type === other.type && one.severity === other.severity
