// Units: the live state of every field unit, from its own reports, its connection and what core wants of it.
import { NotFound } from '@backhaul/contract/define/errors'
import type { UnitReport, UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import { gate } from '@backhaul/contract/nouns/gates'
import { ipPipeOf } from '@backhaul/contract/nouns/ip-pipe'
import { type UnitEvent, type UnitEventWhat, unitEvent } from '@backhaul/contract/nouns/unit-events'
import { moveEvent, visibleMove } from '@backhaul/contract/nouns/unit-moves'
import type { Transition } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { unitTopic } from '@backhaul/contract/push/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Geocoding } from '../../platform/geocoding/geocoding.ts'
import { fieldProviders, type Live, type LiveObject, type Provide } from '../../platform/live/live.ts'
import type { Events } from '../../world/events.ts'
import { keptOnce } from '../../world/same.ts'
import type { Channels } from '../channels/channels.ts'
import type { Device, Devices } from '../devices/devices.ts'
import { encoderNews } from './encoder-news.ts'
import { sampleAfter } from './kept-sample.ts'
import { linkNews } from './link-news.ts'
import { createTransitions } from './transitions.ts'
import { createUnitEvents } from './unit-events.ts'
import {
  basisOf,
  channelFields,
  configurationFields,
  emptyUnit,
  intercomFields,
  type KeptUnit,
  type LiveUnit,
  measuredFields,
  returnFields,
  settingsOf,
  statusFields,
  type UnitMemory,
  updatedAt,
  uplinkOf,
} from './unit-fields.ts'

export interface Units {
  /** Throws NotFound for one outside the caller's scope. */
  get(scope: Scope, id: string): Unit
  /** The live values without a check of the caller's scope. */
  values(id: string): Readonly<LiveUnit> | undefined
  /** The values that samples do not change; the others are derived from the newest one when `values` are read. */
  kept(id: string): Readonly<KeptUnit> | undefined
  memory(id: string): UnitMemory | undefined
  /** Its total rate over all links now, and whether a link is up. */
  sending(id: string): { kbps: number; hasLink: boolean }
  /** The wanted settings, and which of them the unit has not confirmed yet. Throws NotFound. */
  settings(scope: Scope, id: string): ReturnType<typeof settingsOf>
  /** The values of all units that samples do not change. */
  all(): Iterable<Readonly<KeptUnit>>
  /** The uplink of each connected unit, by its newest sample. */
  uplinks(): Iterable<NonNullable<Unit['uplink']>>
  ofInventory(inventoryId: string): Readonly<LiveUnit>[]
  ofGroup(scope: Scope, groupId: string): Promise<Unit[]>
  /** The units in the caller's scope. */
  readable(scope: Scope): Unit[]
  groupsOf(scope: Scope, id: string): Promise<{ uid: string; name: string }[]>
  /** The time at which it came to its customer; 0 for a unit that never had another. */
  sinceMs(id: string): number
  eventsOf(
    scope: Scope,
    id: string,
    page: { limit: number; before?: number | undefined },
  ): Promise<UnitEvent[]>
  /** Throws Conflict when the name is taken within the customer. */
  update(scope: Scope, id: string, changes: { name?: string; comment?: string }): Promise<void>
  /** Stores to which point-to-multipoint machines the unit sends (ST-CHSEL-07). */
  changeMachines(id: string, next: (current: readonly string[]) => string[]): Promise<void>
  /** Sets the flag until the unit shows it or the watchdog gives up; undefined clears it. */
  setTransition(id: string, transition: Transition): void
  setTransmission(id: string, transmission: Unit['transmission']): void
  /** A later feature declares the fields that it provides. */
  provide: Provide<LiveUnit>
  addEvent(id: string, kind: UnitEvent['kind'], what: UnitEventWhat, severity?: UnitEvent['severity']): void
  /** The wanted state changed: it is shown where the unit has not reported yet. */
  wantedChanged(id: string): void
  start(): void
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  devices: Devices
  live: Live
  channels: Channels
  geocoding: Geocoding
}

interface Known {
  device: Device
  memory: UnitMemory
  object: LiveObject<LiveUnit>
  /** The start of its transmission was recorded as an event. */
  hasStarted: boolean
}

export function createUnits(needs: Needs): Units {
  const { clock, events, devices, live, channels, groups, geocoding } = needs
  const units = new Map<string, Known>()
  const unitEvents = createUnitEvents(needs)
  const transitions = createTransitions(clock, (id) => {
    const known = units.get(id)
    if (known) refreshStatus(known)
  })

  /** Transitions of a unit other than its video: `u-17 databridge` (ST-LIVE-07, -08). */
  const ways = createTransitions(clock, (way) => {
    const known = units.get(way.split(' ')[0] ?? '')
    if (known) refreshStatus(known)
  })
  const begun = new Set<string>()
  /** The units of a fleet mostly report the same links and settings. */
  const lately = new Map<string, readonly object[]>()

  /** True from the first report of it until another report, or until the watchdog gives up. */
  function isOnTheWay(
    unitId: string,
    what: 'databridge' | 'videoReturn',
    isInTransition: boolean | undefined,
  ): boolean {
    const way = `${unitId} ${what}`
    if (!isInTransition) {
      begun.delete(way)
      ways.end(way)
      return false
    }
    if (!begun.has(way)) {
      begun.add(way)
      ways.begin(way, 'starting')
    }
    return ways.of(way) !== undefined
  }

  const isThere = ({ device }: Known) => device.presence !== 'offline'

  function add(device: Device): void {
    const remembered = device.remembered as Partial<UnitMemory> | undefined
    const memory: UnitMemory = { online: false, actual: {}, sample: null, linkSeenMs: {}, ...remembered }
    const mayRead = ({ scope }: { scope: Scope }) => isReadable(scope, device)
    const object = live.add<LiveUnit>(unitTopic, device.id, emptyUnit(device), mayRead, renew)
    const known: Known = { device, memory, object, hasStarted: false }
    units.set(device.id, known)
    refreshAll(known)
  }

  const isReadable = (scope: Scope, { id, inventoryId }: Device) =>
    devices.memberships.isReadable(scope, 'unit', id, inventoryId)

  /** Everything but the figures; records the status change if there was one. */
  function refreshStatus(known: Known): void {
    const { device, memory, object } = known
    const there = isThere(known)
    const before = object.kept
    const basis = { applications: before.applications, status: before.status }
    const after = basisOf(memory, there)
    transitions.see(device.id, after)
    const status = statusFields(memory, there, transitions.of(device.id), before)
    const { databridgeInTransition, videoReturnInTransition } = status
    object.set({
      ...configurationFields(device, memory),
      ...status,
      ...returnFields(device, memory, status),
      ...intercomFields(device, memory, there),
      ipPipe: ipPipeOf((device.wanted as Partial<UnitWanted>).ipPipe?.id, memory.actual, there),
      databridgeInTransition: isOnTheWay(device.id, 'databridge', databridgeInTransition),
      videoReturnInTransition: isOnTheWay(device.id, 'videoReturn', videoReturnInTransition),
      reportedAt: device.lastSeenMs,
    })
    refreshChannel(known)
    const shown = visibleMove(basis, after, known.hasStarted)
    known.hasStarted = shown.hasStarted
    if (shown.move) unitEvents.add(device.id, 'status', moveEvent(shown.move, after))
    events.emit('unitChanged', { unitId: device.id })
  }

  /** A start to another channel than the selected one shows where the unit really sends (GAP-STRM-07). */
  const shownChannelId = ({ object }: Known): string | null =>
    object.kept.transmission?.channelId ?? object.kept.channelId

  function refreshChannel(known: Known): void {
    const { device, object } = known
    const isLicensed = gate('video', { unit: object.kept }) === undefined
    const channelId = shownChannelId(known)
    const channel = channelId === null ? undefined : channels.known(channelId)
    const fields = channelFields(channelId, channel, isLicensed, device.details.machines ?? [])
    const outputChannel = object.kept.channelId ?? ''
    const settingsConfiguration = {
      outputChannel,
      multiChannel: fields.ptmpChannel ?? '',
      machineUid: device.id,
    }
    object.set({ ...fields, settingsConfiguration })
  }

  /** Derives the fields that change with each sample, when the unit is read. */
  function renew(id: string): void {
    const known = units.get(id)
    if (!known) return
    const { device, memory, object } = known
    const { transmission } = object.kept
    const dropped = transmission ? (channels.telemetry(transmission.channelId)?.uncorrected ?? 0) : 0
    const { modems, offlineModems, uplink, battery, location } = measuredFields(memory, isThere(known))
    if (uplink) uplink.droppedPackets = dropped
    object.set({
      modems,
      offlineModems,
      uplink,
      battery,
      location: withAddress(device, location),
      reportedAt: device.lastSeenMs,
    })
  }

  /** The address that the unit reported itself, else the one that core knows of its position. */
  const withAddress = (device: Device, location: Unit['location']): Unit['location'] =>
    location && location.address === ''
      ? { ...location, address: geocoding.addressOf(device, location) }
      : location

  function refreshAll(known: Known): void {
    refreshStatus(known)
    known.object.leaveStale()
  }

  function reported(known: Known, { actual }: UnitReport): void {
    const { failure, failureCause } = actual
    if (failure && failure !== known.memory.actual.failure) {
      const why = { message: failure, cause: failureCause ?? undefined }
      unitEvents.add(known.device.id, 'status', unitEvent('transmission.failed', {}, why), 'warning')
    }
    for (const what of encoderNews(known.memory.actual, actual))
      unitEvents.add(known.device.id, 'status', what, 'warning')
    for (const field of Object.keys(actual) as (keyof typeof actual)[])
      Object.assign(known.memory.actual, { [field]: keptOnce(lately, field, actual[field]) })
    devices.keep(known.device.id, known.memory, 'soon')
    refreshStatus(known)
    if (actual.links) known.object.leaveStale()
  }

  function measured(known: Known, { samples }: UnitTelemetry): void {
    const { device, memory, object } = known
    const newest = samples.at(-1) ?? null
    for (const what of linkNews(memory.actual.links ?? [], memory.sample, newest)) {
      unitEvents.add(device.id, 'link', what)
    }
    memory.sample = sampleAfter(memory.sample, newest)
    const nowMs = clock.nowMs()
    for (const { port, up } of newest?.links ?? []) if (up) memory.linkSeenMs[port] = nowMs
    // Its address is looked up while it drives, not when it is shown.
    if (newest?.location?.address === '') geocoding.addressOf(device, newest.location)
    object.leaveStale()
    devices.keep(device.id, memory, 'later')
  }

  events.on('deviceRegistered', ({ deviceId, kind }) => {
    const device = devices.get(deviceId)
    if (kind === 'unit' && device) add(device)
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    if (!units.delete(deviceId)) return
    unitEvents.forget(deviceId)
    transitions.end(deviceId)
    devices.memberships.gone('unit', deviceId)
    live.remove(unitTopic, deviceId)
  })
  events.on('deviceMoved', ({ deviceId }) => {
    const known = units.get(deviceId)
    if (!known) return
    // Until the unit reports a new selection, the one at the old customer is not shown.
    delete known.memory.actual.channelId
    known.object.set({ inventoryId: known.device.inventoryId })
  })
  events.on('deviceDetailsChanged', ({ deviceId }) => {
    const known = units.get(deviceId)
    if (known) refreshStatus(known)
  })
  events.on('deviceConnected', ({ deviceId }) => {
    const known = units.get(deviceId)
    if (!known) return
    if (!known.memory.online) unitEvents.add(deviceId, 'connection', unitEvent('connection.connected', {}))
    known.memory.online = true
    devices.keep(deviceId, known.memory, 'soon')
    refreshAll(known)
  })
  events.on('device:report', ({ deviceId, message }) => {
    const known = units.get(deviceId)
    if (known) reported(known, message)
  })
  events.on('device:telemetry', ({ deviceId, message }) => {
    const known = units.get(deviceId)
    if (known) measured(known, message)
  })
  events.on('deviceDisconnected', ({ deviceId }) => {
    const known = units.get(deviceId)
    if (!known) return
    unitEvents.add(deviceId, 'connection', unitEvent('connection.disconnected', {}), 'warning')
    known.memory.online = false
    devices.keep(deviceId, known.memory, 'soon')
    refreshAll(known)
  })
  events.on('twinRefused', ({ deviceId, address }) => {
    const what = unitEvent('connection.twin', { address })
    if (units.has(deviceId)) unitEvents.add(deviceId, 'connection', what, 'warning')
  })
  events.on('addressFound', ({ unitId }) => {
    units.get(unitId)?.object.leaveStale()
  })
  events.on('channelChanged', ({ channelId }) => {
    for (const known of units.values()) if (shownChannelId(known) === channelId) refreshChannel(known)
  })

  /** The time of a link's figures is that of the unit's report; it is not pushed again each second. */
  const withRevision = ({ object, memory }: Known): Unit => ({
    ...object.values,
    modems: updatedAt(object.values.modems, memory.sample),
    rawModemInfo: null,
    rev: live.revisionOf(object),
  })

  const sinceMs = (id: string) => devices.get(id)?.details.movedMs ?? 0

  function readable(scope: Scope, id: string): Known {
    const known = units.get(id)
    if (!known || !isReadable(scope, known.device)) throw new NotFound('unit')
    return known
  }

  return {
    get(scope, id) {
      const known = readable(scope, id)
      return { ...withRevision(known), rawModemInfo: known.memory.actual.links ?? null }
    },
    values: (id) => units.get(id)?.object.values,
    kept: (id) => units.get(id)?.object.kept,
    memory: (id) => units.get(id)?.memory,
    sending(id) {
      const sample = units.get(id)?.memory.sample
      return sample
        ? { kbps: uplinkOf(sample).kbps, hasLink: sample.links.some(({ up }) => up) }
        : { kbps: 0, hasLink: false }
    },
    settings(scope, id) {
      const { device, memory } = readable(scope, id)
      return settingsOf(device, memory)
    },
    sinceMs,
    *all() {
      for (const { object } of units.values()) yield object.kept
    },
    *uplinks() {
      for (const known of units.values())
        if (known.memory.sample && isThere(known)) yield uplinkOf(known.memory.sample)
    },
    ofInventory: (inventoryId) =>
      devices.ofInventory('unit', inventoryId).flatMap(({ id }) => units.get(id)?.object.values ?? []),
    async ofGroup(scope, groupId) {
      await groups.get(scope, groupId)
      return devices.memberships.membersOf('unit', groupId).flatMap((id) => {
        const known = units.get(id)
        return known ? [withRevision(known)] : []
      })
    },
    readable: (scope) =>
      [...units.values()].filter(({ device }) => isReadable(scope, device)).map(withRevision),
    async groupsOf(scope, id) {
      readable(scope, id)
      const own = new Set(devices.memberships.groupsOf('unit', id))
      return (await groups.light(scope)).flatMap(({ uid, name }) => (own.has(uid) ? [{ uid, name }] : []))
    },
    async eventsOf(scope, id, page) {
      readable(scope, id)
      return await unitEvents.of(id, { ...page, since: sinceMs(id) })
    },
    async update(scope, id, changes) {
      const known = readable(scope, id)
      await uniqueName(devices.update(id, changes), 'name.taken')
      refreshStatus(known)
      if (changes.name !== undefined) channels.unitRenamed(id)
      for (const field of ['name', 'comment'] as const)
        if (changes[field] !== undefined) unitEvents.add(id, 'settings', unitEvent(`settings.${field}`, {}))
    },
    async changeMachines(id, next) {
      if (!units.has(id)) return
      await devices.updateDetails(id, (now) => ({ ...now, machines: next(now.machines ?? []) }))
    },
    setTransition(id, transition) {
      const known = units.get(id)
      if (!known) return
      if (transition === undefined) transitions.end(id)
      else transitions.begin(id, transition)
      refreshStatus(known)
    },
    setTransmission(id, transmission) {
      const known = units.get(id)
      if (!known) return
      known.object.set({ transmission })
      refreshChannel(known)
      events.emit('transmissionChanged', { unitId: id })
    },
    provide: fieldProviders('units', (id, values) => units.get(id)?.object.set(values)),
    addEvent: unitEvents.add,
    wantedChanged(id) {
      const known = units.get(id)
      if (known) refreshStatus(known)
    },
    start() {
      for (const device of devices.all('unit')) add(device)
      unitEvents.start()
    },
    async stop() {
      transitions.stop()
      ways.stop()
      await unitEvents.stop()
    },
  }
}
