// Servers: what receives units; their live state from their own reports.
import { NotFound } from '@backhaul/contract/define/errors'
import type { ServerReport, ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, ServerActual, ServerWanted } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import { withDeviceServices } from '@backhaul/contract/nouns/device-services'
import {
  defaultServerSettings,
  ListedServer,
  MAX_CHANNELS,
  type Server,
  type ServerSettings,
  type ServerSpecifications,
  type ServerType,
  serverTypeOf,
  serverWarnings,
} from '@backhaul/contract/nouns/servers'
import type { SmpteServer } from '@backhaul/contract/nouns/smpte'
import { serverTopic } from '@backhaul/contract/push/servers'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { reads, readsInventory, type Scope } from '../../database/scope.ts'
import type { Groups } from '../../people/groups/groups.ts'
import { fieldProviders, type Live, type LiveObject, type Provide } from '../../platform/live/live.ts'
import type { Events } from '../../world/events.ts'
import type { Device, Devices } from '../devices/devices.ts'
import { followServerGroups } from './server-groups.ts'

/** The state of a server by its reports; stored, so that it survives a restart. */
export interface ServerMemory {
  online: boolean
  actual: Partial<ServerActual>
  slots: ChannelSlot[]
  channels: ChannelTelemetry[]
}

type LiveServer = Omit<Server, 'rev'>

export interface Servers {
  /** Throws NotFound for one outside the caller's scope. */
  get(scope: Scope, id: string): Server
  memory(id: string): ServerMemory | undefined
  isOnline(id: string): boolean
  online(): Device[]
  /** Addresses at which units reach the server: those that it reported, else the one that it dialled from. */
  addresses(id: string): readonly string[]
  services(scope: Scope, id: string): readonly string[]
  specifications(scope: Scope, id: string): ServerSpecifications | null
  /** The servers of a type, or of all types, in the caller's scope, by name. */
  ofType(scope: Scope, type?: ServerType): Readonly<LiveServer>[]
  /** The servers of a group, by name. Throws NotFound for a group outside the caller's scope. */
  ofGroup(scope: Scope, groupId: string): Promise<ListedServer[]>
  groupsOf(scope: Scope, id: string): Promise<{ uid: string; name: string }[]>
  /** Slots whose channels are open: as many as administrators allow. */
  offered(id: string): readonly ChannelSlot[]
  /** The settings of administrators. */
  settings(id: string): ServerSettings
  /** Its SMPTE 2110 networks; null where they are not set. */
  smpte(id: string): SmpteServer | null
  /** A later feature declares the fields that it provides. */
  provide: Provide<LiveServer>
  /** Reads the administrative data of the server again after a change. */
  refresh(id: string): void
  start(): void
  stop(): void
}

/** The date of a warning is reached without an event. */
const warningPeriodMs = 60_000

interface Needs {
  clock: Clock
  events: Events
  groups: Groups
  devices: Devices
  live: Live
}

export function createServers(needs: Needs): Servers {
  const { clock, events, groups, devices, live } = needs
  const memories = new Map<string, ServerMemory>()
  const objects = new Map<string, LiveObject<LiveServer>>()
  const serverGroups = followServerGroups(needs)
  let timer: Timer | undefined

  /** Derives all fields again, for the rare changes. */
  const fieldsOf = (device: Device, memory: ServerMemory) => {
    const fields = ownFields(device, memory)
    return { ...fields, warnings: serverWarnings(fields, clock.nowMs()) } satisfies Partial<LiveServer>
  }

  function add(device: Device): void {
    const memory: ServerMemory = {
      online: false,
      actual: {},
      slots: [],
      channels: [],
      ...(device.remembered as Partial<ServerMemory> | undefined),
    }
    memories.set(device.id, memory)
    const initial = { ...emptyServer(device), ...fieldsOf(device, memory) }
    const mayRead = ({ scope }: { scope: Scope }) => isReadable(scope, device)
    objects.set(device.id, live.add(serverTopic, device.id, initial, mayRead))
  }

  /** Its device and its memory, when the event is about a server. */
  function known(id: string): [Device, ServerMemory, LiveObject<LiveServer>] | undefined {
    const [device, memory, object] = [devices.get(id), memories.get(id), objects.get(id)]
    return device && memory && object && [device, memory, object]
  }

  function onReport(id: string, message: ServerReport): void {
    const server = known(id)
    if (!server) return
    const [device, memory, object] = server
    Object.assign(memory.actual, message.actual)
    object.set({ ...fieldsOf(device, memory), reportedAt: device.lastSeenMs })
    devices.keep(id, memory, 'soon')
  }

  function onTelemetry(id: string, message: ServerTelemetry): void {
    const server = known(id)
    if (!server) return
    const [device, memory, object] = server
    memory.channels = message.channels
    const { bootedAt } = memory.actual
    object.set({
      serverUsage: message.usage,
      applications: applicationsOf(message.channels),
      reportedAt: device.lastSeenMs,
      ...(bootedAt !== undefined && { upTime: Math.max(0, Math.round((message.ts - bootedAt) / 1000)) }),
    })
    devices.keep(id, memory, 'later')
  }

  events.on('deviceRegistered', ({ deviceId, kind }) => {
    const device = devices.get(deviceId)
    if (kind === 'server' && device) add(device)
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    if (memories.delete(deviceId)) live.remove(serverTopic, deviceId)
    objects.delete(deviceId)
  })
  events.on('deviceConnected', ({ deviceId, hello }) => {
    const server = known(deviceId)
    if (!server) return
    const [device, memory, object] = server
    memory.online = true
    memory.slots = hello.slots ?? []
    object.set({ ...fieldsOf(device, memory), reportedAt: device.lastSeenMs })
    devices.keep(deviceId, memory, 'soon')
  })
  events.on('device:serverReport', ({ deviceId, message }) => onReport(deviceId, message))
  events.on('device:serverTelemetry', ({ deviceId, message }) => onTelemetry(deviceId, message))
  events.on('deviceDisconnected', ({ deviceId }) => {
    const server = known(deviceId)
    if (!server) return
    const [device, memory, object] = server
    memory.online = false
    object.set({ ...fieldsOf(device, memory), serverUsage: null, applications: {} })
    devices.keep(deviceId, memory, 'soon')
  })

  function refresh(id: string): void {
    const server = known(id)
    if (!server) return
    const [device, memory, object] = server
    object.set(fieldsOf(device, memory))
  }

  function settings(id: string): ServerSettings {
    const server = known(id)
    if (!server) throw new NotFound('server')
    return settingsOf(server[0], server[1].slots)
  }

  const isThere = (device: Device | undefined) => device !== undefined && device.presence !== 'offline'
  return {
    get(scope, id) {
      const server = known(id)
      if (!server || !isReadable(scope, server[0])) throw new NotFound('server')
      return { ...server[2].values, rev: live.revisionOf(server[2]) }
    },
    memory: (id) => memories.get(id),
    isOnline: (id) => isThere(devices.get(id)),
    online: () => devices.all('server').filter(({ presence }) => presence === 'online'),
    addresses(id) {
      const reported = memories.get(id)?.actual.addresses ?? []
      const dialled = devices.get(id)?.address
      return reported.length > 0 || !dialled ? reported : [dialled]
    },
    services(scope, id) {
      this.get(scope, id)
      const { services = [], givenServices } = devices.get(id)?.details ?? {}
      return withDeviceServices(services, givenServices)
    },
    specifications(scope, id) {
      this.get(scope, id)
      return memories.get(id)?.actual.specifications ?? null
    },
    ofType: (scope, type) =>
      devices
        .all('server')
        .filter((device) => isOf(device, type) && isReadable(scope, device))
        .flatMap(({ id }) => objects.get(id)?.values ?? [])
        .sort((a, b) => a.name.localeCompare(b.name)),
    async ofGroup(scope, groupId) {
      await groups.get(scope, groupId)
      return devices
        .all('server')
        .filter((device) => device.details.groups?.includes(groupId) && isReadable(scope, device))
        .flatMap(({ id }) => {
          const object = objects.get(id)
          return object ? [ListedServer.parse({ ...object.values, rev: live.revisionOf(object) })] : []
        })
        .sort((a, b) => a.name.localeCompare(b.name))
    },
    async groupsOf(scope, id) {
      this.get(scope, id)
      const own = devices.get(id)?.details.groups ?? []
      return (await groups.light(scope)).flatMap(({ uid, name }) =>
        own.includes(uid) ? [{ uid, name }] : [],
      )
    },
    offered(id) {
      const { slots = [] } = memories.get(id) ?? {}
      return openSlots(slots, settings(id).maxChannels)
    },
    settings,
    smpte: (id) => (devices.get(id)?.wanted as ServerWanted | undefined)?.smpte ?? null,
    provide: fieldProviders('servers', (id, values) => objects.get(id)?.set(values)),
    refresh,
    start() {
      for (const device of devices.all('server')) add(device)
      serverGroups.start()
      timer = clock.setInterval(() => {
        for (const id of objects.keys()) refresh(id)
      }, warningPeriodMs)
    },
    stop: () => clock.clearInterval(timer),
  }
}

const isOf = ({ productType }: Device, type: ServerType | undefined): boolean =>
  type === undefined || serverTypeOf(productType) === type

/** A server may be read by users of its customer, by the groups that it serves, and by customers who share a gateway. */
const isReadable = (scope: Scope, { inventoryId, details }: Device): boolean =>
  reads(scope, { inventoryId, groupIds: details.groups ?? [] }) ||
  (details.inventories ?? []).some((id) => readsInventory(scope, id))

function ownFields(device: Device, { actual, slots }: ServerMemory) {
  const { address, expiresMs, outputChannels = null } = device.details
  return {
    name: device.name,
    alias: device.name,
    comment: device.comment,
    serialNumber: device.serialNumber,
    productType: device.productType,
    type: serverTypeOf(device.productType),
    swVersion: device.swVersion,
    state: device.presence === 'offline' ? 'offline' : 'online',
    reportIntervalMs: device.reportIntervalMs,
    ...settingsOf(device, slots),
    outputChannels,
    expiration: expiresMs === undefined ? null : new Date(expiresMs).toISOString(),
    tallyHwStatus: actual.boxes?.tally ?? '',
    audioHwStatus: actual.boxes?.audio ?? '',
    capabilities: actual.capabilities ?? null,
    // Shown for a server that has not reported any; nothing connects there.
    addresses: actual.addresses ?? (address ? [address] : []),
  } satisfies Partial<LiveServer>
}

/** Its present activities, by its own report. */
function applicationsOf(channels: readonly ChannelTelemetry[]): Server['applications'] {
  const doing = {
    collecting: channels.filter(({ status }) => status === 'collecting'),
    recording: channels.filter(({ recording }) => recording),
    playing: channels.filter(({ playing }) => playing.length > 0),
  }
  return Object.fromEntries(
    Object.entries(doing)
      .filter(([, busy]) => busy.length > 0)
      .map(([name, busy]) => [name, { channels: busy.map(({ channelId }) => channelId) }]),
  )
}

const settingsOf = ({ wanted }: Device, slots: readonly ChannelSlot[]): ServerSettings => ({
  ...defaultServerSettings,
  maxChannels: slots.length || MAX_CHANNELS,
  ...(wanted as ServerWanted).settings,
})

/** The first of those that receive by themselves, and those that join several of which none is closed. */
function openSlots(slots: readonly ChannelSlot[], atMost: number): ChannelSlot[] {
  const single = slots.filter(({ members }) => members === undefined)
  const closed = single.slice(atMost).map(({ slot }) => slot)
  const isOpen = ({ slot, members = [slot] }: ChannelSlot) => !members.some((one) => closed.includes(one))
  return slots.filter(isOpen)
}

function emptyServer(device: Device): LiveServer {
  return {
    deviceId: device.id,
    uniqueId: device.id,
    type: 'mmh_server',
    name: device.name,
    alias: device.name,
    serialNumber: device.serialNumber,
    comment: device.comment,
    inventoryId: device.inventoryId,
    productType: device.productType,
    state: 'offline',
    applications: {},
    swVersion: device.swVersion,
    targetVersion: null,
    upgrade: null,
    serverUsage: null,
    upTime: 0,
    tallyHwStatus: '',
    audioHwStatus: '',
    ...defaultServerSettings,
    maxChannels: 0,
    outputChannels: null,
    expiration: null,
    warnings: [],
    capabilities: null,
    addresses: [],
    reportedAt: device.lastSeenMs,
    reportIntervalMs: device.reportIntervalMs,
  }
}
