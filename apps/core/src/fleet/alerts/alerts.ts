// Alerts: what is wrong now with units and servers, raised and cleared by rules, on the topics of unit and group.
import { randomBytes } from 'node:crypto'
import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { type Alert, byUrgency, isOtherValue } from '@backhaul/contract/nouns/alerts'
import { productOf } from '@backhaul/contract/nouns/products'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { createWrites } from '../../database/writes.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { Events } from '../../world/events.ts'
import type { Channels } from '../channels/channels.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import { type Configurations, createConfigurations } from './alert-configurations.ts'
import { createAlertMails } from './alert-mails.ts'
import { type ServerUsage, type StandingAlert, serverAlerts, unitAlerts } from './alert-rules.ts'
import { clearAlert, insertAlert, standingAlerts, updateAlert } from './alert-table.ts'
import { createGroupAlerts, type Shown } from './group-alerts.ts'
import { type Failed, failuresOf } from './server-failures.ts'
import { createUnitWatch } from './unit-watch.ts'

export interface Alerts {
  /** Critical first; throws NotFound for a group outside the caller's scope. */
  active(scope: Scope, groupId: string): Promise<Alert[]>
  /** The severities of all active alerts, each alert once. */
  severities(): Alert['severity'][]
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
  channels: Channels
  units: Units
  outbox: Outbox
}

/** For each group: its configuration, and which alerts of the device are active by it. */
type Rule = (
  by: AlertsConfiguration,
  standing: readonly Shown[],
  groupId: string | undefined,
) => readonly StandingAlert[]
type Found = StandingAlert & { groups: string[] }

const none: readonly Shown[] = []
const nothingFound: readonly Found[] = []
const noGroup: readonly undefined[] = [undefined]

export function createAlerts(needs: Needs): Alerts {
  const { db, clock, log, events, groups, devices, channels, units } = needs
  const watch = createUnitWatch(clock, units)
  const usages = new Map<string, ServerUsage>()
  const failures = new Map<string, readonly Failed[]>()
  const configurations = createConfigurations({ db, groups, devices, units, recheck: judgeAgain })
  const isMember = (deviceId: string, groupId: string) => {
    const device = devices.get(deviceId)
    return device !== undefined && groupsOf(device).includes(groupId)
  }
  const inGroups = createGroupAlerts(clock, devices.memberships, isMember)
  const { standing, ofGroup, publishSoon } = inGroups
  const mails = createAlertMails({ ...needs, recipients: groups.recipients, ofGroup })
  const showOnUnit = units.provide('alerts')
  const writes = createWrites(log)

  const write = (run: () => Promise<void>) => void writes.add(run, 'alert not stored')

  /** Sets the device's active alerts; an alert that remains keeps its id and its time. */
  function settle(device: Device, rule: Rule): void {
    const before = standing.get(device.id) ?? none
    const found = standingFor(device, rule, before)
    if (found.length === 0 && before.length === 0) return
    const after = found.map((one) => shownAs(device, one, before))
    if (after.length === before.length && after.every((one) => before.includes(one))) return
    after.sort((one, other) => byUrgency(one.alert, other.alert))
    note(device, before, after)
    inGroups.put(device.id, after)
    if (device.kind === 'unit') showOnUnit(device.id, { alerts: alertsOf(after) })
  }

  /** The same object where nothing visible changed. */
  function shownAs(device: Device, { groups: shownIn, ...found }: Found, before: readonly Shown[]): Shown {
    const known = before.find(({ alert }) => isSame(alert, found))
    if (known) {
      const { alert } = known
      const isOther =
        isOtherValue(alert.type, alert.value, found.value) ||
        alert.name !== device.name ||
        alert.about?.name !== found.about?.name ||
        alert.reason !== found.reason
      if (!isOther && known.groups.join() === shownIn.join()) return known
      const value = found.value ?? alert.value
      const { id, uid, since } = alert
      return { ...known, alert: { id, uid, since, ...found, name: device.name, value }, groups: shownIn }
    }
    const id = `al-${randomBytes(9).toString('base64url')}`
    const alert = { id, uid: device.id, name: device.name, since: clock.nowMs(), ...found }
    const usualKbps = found.type === 'bitrateDrop' ? watch.usualKbps(device.id) : undefined
    return { alert, groups: shownIn, usualKbps }
  }

  /**
   * The alerts active by the configuration of at least one group of the device, or by its own or the default without
   * groups; nothing for products that raise no alerts.
   */
  function standingFor(device: Device, rule: Rule, before: readonly Shown[]): readonly Found[] {
    if (!productOf(device.productType).alerts) return nothingFound
    let all: Found[] | undefined
    const groupIds = groupsOf(device)
    for (const groupId of groupIds.length > 0 ? groupIds : noGroup) {
      // Most units have none.
      const here = groupId === undefined || before.length === 0 ? before : thoseShownIn(groupId, before)
      const found = rule(configurations.holding(device, groupId), here, groupId)
      if (found.length > 0) all = withFound(all ?? [], found, groupId)
    }
    return all ?? nothingFound
  }

  function note(device: Device, before: readonly Shown[], after: readonly Shown[]): void {
    for (const shown of after) {
      const { alert } = shown
      const known = before.find((one) => one.alert.id === alert.id)
      if (known) {
        if (isKeptOtherwise(known, shown)) write(() => updateAlert(db, shown))
        continue
      }
      write(() => insertAlert(db, shown))
      if (device.kind === 'unit')
        units.addEvent(
          device.id,
          'alert',
          unitEvent(`alert.${alert.severity}`, { type: alert.type }),
          alert.severity,
        )
    }
    const nowMs = clock.nowMs()
    for (const { alert } of before) {
      if (after.some((one) => one.alert.id === alert.id)) continue
      write(() => clearAlert(db, alert.id, nowMs))
      const isWorse = after.some((one) => isSameMatter(one.alert, alert))
      if (device.kind === 'unit' && !isWorse)
        units.addEvent(device.id, 'alert', unitEvent('alert.cleared', { type: alert.type }))
    }
  }

  const groupsOf = ({ id, kind, details }: Device): readonly string[] =>
    kind === 'unit' ? devices.memberships.groupsOf('unit', id) : (details.groups ?? [])

  function check(device: Device, heldFrom = alertsOf): void {
    if (device.kind !== 'unit') {
      const usage = usages.get(device.id) ?? null
      settle(device, (by, here, groupId) =>
        serverAlerts(usage, failuresIn(device.id, groupId), by, heldFrom(here)),
      )
      return
    }
    const situation = watch.situation(device.id)
    if (situation) settle(device, (by, here) => unitAlerts(situation, by, heldFrom(here)))
  }

  /** By other thresholds: without margins for alerts that the former ones raised, but a bit rate is known by its alert. */
  function judgeAgain(device: Device): void {
    check(device, (here) => alertsOf(here.filter(isOfBitrate)))
  }

  /** Groups see only what is about their own channels. */
  const failuresIn = (serverId: string, groupId: string | undefined): readonly Failed[] =>
    (failures.get(serverId) ?? []).filter(
      ({ channelId }) =>
        groupId === undefined ||
        channelId === undefined ||
        devices.memberships.groupsOf('channel', channelId).includes(groupId),
    )

  events.on('device:telemetry', ({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return
    watch.measured(deviceId, standing.get(deviceId)?.find(isOfBitrate))
    check(device)
  })
  events.on('device:report', ({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return
    watch.reported(deviceId)
    check(device)
  })
  events.on('device:serverTelemetry', ({ deviceId, message }) => {
    const device = devices.get(deviceId)
    if (!device) return
    usages.set(deviceId, message.usage)
    failures.set(deviceId, failuresOf(message, channels))
    check(device)
  })
  events.on('deviceDisconnected', ({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return
    watch.closed(deviceId)
    usages.delete(deviceId)
    failures.delete(deviceId)
    check(device)
  })
  /** The end of its transmission clears its alerts, also of a unit that is offline. */
  events.on('transmissionChanged', ({ unitId }) => {
    const device = standing.has(unitId) ? devices.get(unitId) : undefined
    if (device) check(device)
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    watch.forget(deviceId)
    usages.delete(deviceId)
    failures.delete(deviceId)
    inGroups.put(deviceId, none)
  })
  events.on('groupChanged', ({ groupId, joined }) => {
    const device = joined?.kind === 'unit' ? devices.get(joined.memberId) : undefined
    if (device) check(device)
    if (standing.size > 0) publishSoon(groupId)
  })
  events.on('membersLeft', ({ groupId }) => publishSoon(groupId))

  return {
    async active(scope, groupId) {
      await groups.get(scope, groupId)
      return ofGroup(groupId)
    },
    severities: () => [...standing.values()].flatMap((shown) => shown.map(({ alert }) => alert.severity)),
    configurations,
    async start() {
      await configurations.start()
      for (const { groups: shownIn, usualKbps, ...kept } of await standingAlerts(db)) {
        const device = devices.get(kept.uid)
        if (!device) continue
        const alert = { ...kept, name: device.name }
        const shown = { alert, groups: shownIn ?? groupsOf(device), usualKbps }
        inGroups.put(kept.uid, [...(standing.get(kept.uid) ?? none), shown])
      }
      for (const [id, shown] of standing) showOnUnit(id, { alerts: alertsOf(shown) })
      mails.start()
    },
    async stop() {
      inGroups.stop()
      await mails.stop()
      await writes.stored()
    },
  }
}

const thoseShownIn = (groupId: string, shown: readonly Shown[]): readonly Shown[] =>
  shown.filter(({ groups }) => groups.includes(groupId))

/** Adds the alerts found in a group; those of groups before it are shown in this one too. */
function withFound(all: Found[], found: readonly StandingAlert[], groupId: string | undefined): Found[] {
  for (const alert of found) {
    const groups = groupId === undefined ? [] : [groupId]
    const same = all.find((one) => isSame(one, alert))
    if (same) same.groups.push(...groups)
    else all.push({ ...alert, groups })
  }
  return all
}

const isSameMatter = (one: StandingAlert, other: StandingAlert): boolean =>
  one.type === other.type && one.about?.id === other.about?.id

const isSame = (one: StandingAlert, other: StandingAlert): boolean =>
  isSameMatter(one, other) && one.severity === other.severity

/** Not for another value, which changes with each sample. */
const isKeptOtherwise = (known: Shown, shown: Shown): boolean =>
  known.groups.join() !== shown.groups.join() ||
  known.alert.about?.name !== shown.alert.about?.name ||
  known.alert.reason !== shown.alert.reason

const alertsOf = (shown: readonly Shown[]): Alert[] => shown.map(({ alert }) => alert)

const isOfBitrate = ({ alert }: Shown): boolean => alert.type === 'bitrateDrop'
