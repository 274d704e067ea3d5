// Channels: what receives a unit - made of a server's slots, allocated to one transmission at a time, sent to the server.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { Levels, ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, Intake, WantedCopy } from '@backhaul/contract/gateway/servers'
import type { Channel, MultiCameraChannel } from '@backhaul/contract/nouns/channels'
import { channelTopic } from '@backhaul/contract/push/channels'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { fieldProviders, type Live, type LiveObject, type Provide } from '../../platform/live/live.ts'
import type { Events } from '../../world/events.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import { type ChannelCdnStreams, createCdnStreams } from './cdn-streams.ts'
import {
  type ChannelAdministration,
  createChannelAdministration,
  receivingServers,
} from './channel-administration.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import {
  allocationFields,
  type ChannelBasis,
  channelFields,
  emptyChannel,
  knownElsewhere,
  type LiveChannel,
  multiCameraOf,
  receptionOf,
  telemetryFields,
} from './channel-fields.ts'
import { type ChannelHolds, createChannelHolds } from './channel-holds.ts'
import { type ChannelOverlays, createChannelOverlays } from './channel-overlays.ts'
import { type ChannelReturns, createChannelReturns } from './channel-returns.ts'
import {
  type ChannelLimits,
  type ChannelSettings,
  createChannelLimits,
  createChannelSettings,
} from './channel-settings.ts'
import { type ChannelSmpte, createChannelSmpte } from './channel-smpte.ts'
import * as table from './channel-table.ts'
import { wantChannels } from './channel-wanted.ts'
import { createDestinations, type Destinations } from './destinations.ts'
import { createFeeds } from './feeds.ts'
import { createInputKeys, type InputKeys, withInputKeys } from './input-keys.ts'
import { createInputSources, type InputSources } from './input-sources.ts'
import { requireOutputLicence } from './output-licence.ts'
import { type PrivateSessions, privateSessions } from './private-sessions.ts'
import { createSlots } from './slots.ts'
import { type ChannelSocialStreams, createSocialStreams } from './social-streams.ts'

export interface Channels
  extends ChannelHolds,
    ChannelReturns,
    ChannelCdnStreams,
    ChannelSocialStreams,
    ChannelOverlays,
    ChannelLimits,
    PrivateSessions {
  readonly administration: ChannelAdministration
  readonly inputKeys: InputKeys
  readonly destinations: Destinations
  readonly smpte: ChannelSmpte
  readonly settings: ChannelSettings
  readonly sources: InputSources
  /** Administration of channels that return video. */
  readonly returnAdministration: ChannelAdministration
  /** Throws NotFound for one outside the caller's scope. */
  get(scope: Scope, id: string): Channel
  /** A channel without a check of the caller's scope; undefined when there is none. */
  known(id: string): Channel | undefined
  /** All in the caller's scope. */
  readable(scope: Scope): Channel[]
  /** Finds a channel by id, else by name among those in the caller's scope. */
  find(scope: Scope, idOrName: string): Channel | undefined
  ofGroup(scope: Scope, groupId: string): Promise<Channel[]>
  /** The channels of a server by name, without a check of the caller's scope. */
  ofServer(serverId: string): Channel[]
  /** The number of them that are open to units was changed. */
  serverChanged(serverId: string): void
  multiCamera(scope: Scope, groupId: string): Promise<MultiCameraChannel[]>
  addresses(scope: Scope, id: string): { ip: string; port: number | null }[]
  /** Host and RIST port at which a unit reaches the channel. */
  targets(id: string): { host: string; port: number }[]
  serverOf(id: string): string | undefined
  /** The server's last report of the channel. */
  telemetry(id: string): ChannelTelemetry | undefined
  /** Takes the channel for a transmission; throws Conflict when it is held or its server is not connected. */
  take(transaction: DatabaseTransaction, id: string, intake: Intake): Promise<ChannelChange>
  /** Frees what the transmission, or the video return, holds; undefined when it no longer holds it. */
  free(
    transaction: DatabaseTransaction,
    id: string,
    transmissionId: string,
  ): Promise<ChannelChange | undefined>
  /** Feeds that take the picture of this channel while it receives a unit; those that are stopped do not. */
  fedBy(channelId: string): string[]
  /** The copies that its server makes of the received stream. */
  copies(id: string): readonly WantedCopy[]
  /** Has the server send on, to these channels and no others, what this transmission brings. */
  setCopies(
    transaction: DatabaseTransaction,
    id: string,
    transmissionId: string,
    copies: WantedCopy[],
  ): Promise<ChannelChange | undefined>
  /** Changes how much the intake of the present transmission buffers. */
  setBuffer(
    transaction: DatabaseTransaction,
    id: string,
    transmissionId: string,
    bufferMs: number,
  ): Promise<ChannelChange | undefined>
  /** The labels of its recordings while it receives from a unit. */
  labels(id: string): Intake['labels']
  setLabels(
    transaction: DatabaseTransaction,
    id: string,
    transmissionId: string,
    labels: NonNullable<Intake['labels']>,
  ): Promise<ChannelChange | undefined>
  adopt(changes: readonly (ChannelChange | undefined)[]): void
  setRecording(scope: Scope, id: string, recording: boolean): Promise<void>
  /** A later feature declares the fields that it provides. */
  provide: Provide<LiveChannel>
  /** The unit that holds channels has another name. */
  unitRenamed(unitId: string): void
  start(): Promise<void>
}

export type { CdnChoice, ChannelDestination } from './cdn-streams.ts'
export type { ChannelChange } from './channel-change.ts'
export type { SocialStream } from './channel-table.ts'

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  inventories: Inventories
  devices: Devices
  live: Live
  servers: Servers
  sealing: Sealing
  /** Whether a streaming destination may be in the network of the operator. */
  mayStreamToOwnNetwork: boolean
}

interface Known {
  facts: table.ChannelFacts
  object: LiveObject<LiveChannel>
  telemetry: ChannelTelemetry | undefined
  /** The time at which the present reception began. */
  since: number
}

/** The port of the address that an encoder sends to. */
const portIn = (address: string | null): number | null =>
  Number(/:(\d+)/.exec(address?.slice(6) ?? '')?.[1]) || null

/** Channel 2 before channel 10. */
const collator = new Intl.Collator('en', { numeric: true })
const byName = (a: Channel, b: Channel): number => collator.compare(a.name, b.name)

export function createChannels(needs: Needs): Channels {
  const { db, clock, events, devices, live, servers, groups } = needs
  const channels = new Map<string, Known>()
  const byServer = new Map<string, Known[]>()
  const feeds = createFeeds()

  function sourceOf({ settings }: table.ChannelFacts): Channel['feedFrom'] {
    const source = channels.get(settings.feedFrom ?? '')?.facts
    const serverName = devices.get(source?.serverId ?? '')?.name ?? ''
    return source ? { channelId: source.id, channelName: source.name, serverName } : null
  }

  function basisOf({ facts, telemetry }: Pick<Known, 'facts' | 'telemetry'>): ChannelBasis {
    const device = devices.get(facts.serverId)
    const memory = servers.memory(facts.serverId)
    const ports = memory?.actual.ports?.find(({ slot }) => slot === facts.settings.slot)
    const host = servers.addresses(facts.serverId)[0]
    const unit = facts.allocatedUnitId === null ? undefined : devices.get(facts.allocatedUnitId)
    return {
      server: {
        id: facts.serverId,
        name: device?.name ?? '',
        productType: device?.productType ?? '',
        swVersion: device?.swVersion ?? '',
        isThere: servers.isOnline(facts.serverId),
      },
      capabilities: memory?.actual.capabilities,
      hasSmpte: servers.smpte(facts.serverId) !== null,
      showsPictures: typeof memory?.actual.previewPort === 'number',
      region: memory?.actual.region ?? null,
      boxes: memory?.actual.boxes,
      isOffered: facts.settings.made
        ? ports !== undefined
        : servers.offered(facts.serverId).some(({ slot }) => slot === facts.settings.slot),
      unitName: unit?.name ?? null,
      telemetry,
      port: ports?.ristPort ?? ports?.returnPort ?? null,
      feedFrom: sourceOf(facts),
      inputAddress: (host && ports?.inputAddress?.replace('{host}', host)) ?? null,
      members: facts.settings.members?.flatMap((id) => channels.get(id)?.object.values.status ?? []),
    }
  }

  function add(facts: table.ChannelFacts): void {
    const telemetry = servers.memory(facts.serverId)?.channels.find(({ channelId }) => channelId === facts.id)
    const initial = { ...emptyChannel(facts), ...channelFields(facts, basisOf({ facts, telemetry })) }
    const mayRead = ({ scope }: { scope: Scope }) =>
      devices.memberships.isReadable(scope, 'channel', facts.id, facts.inventoryId)
    const object = live.add(channelTopic, facts.id, initial, mayRead)
    const since = facts.allocatedMs ?? clock.nowMs()
    const known: Known = { facts, object, telemetry, since }
    if (telemetry) object.set({ reception: receptionOf(telemetry, since) })
    channels.set(facts.id, known)
    feeds.note(facts)
    byServer.set(facts.serverId, [...(byServer.get(facts.serverId) ?? []), known])
  }

  /** Derives all fields again, for the rare changes. */
  function refresh(known: Known): void {
    const basis = basisOf(known)
    changed(known, {
      ...channelFields(known.facts, basis),
      ...(!basis.server.isThere && { reception: null }),
    })
  }

  function refreshServer(serverId: string): void {
    for (const known of byServer.get(serverId) ?? []) refresh(known)
  }

  function changed(known: Known, fields: Partial<LiveChannel>): void {
    const before = knownElsewhere(known.object.values)
    known.object.set(fields)
    if (knownElsewhere(known.object.values) === before) return
    events.emit('channelChanged', { channelId: known.facts.id })
    for (const group of byServer.get(known.facts.serverId) ?? []) {
      if (group.facts.settings.members?.includes(known.facts.id)) refresh(group)
    }
  }

  /** A channel of another server, or of none, is ignored: a server reports for its own channels only. */
  function ownChannel(serverId: string, channelId: string): Known | undefined {
    const known = channels.get(channelId)
    return known?.facts.serverId === serverId ? known : undefined
  }

  function measured(serverId: string, message: ServerTelemetry): void {
    for (const telemetry of message.channels) {
      const known = ownChannel(serverId, telemetry.channelId)
      if (!known) continue
      const wasReceiving = known.telemetry?.status === 'collecting'
      if (telemetry.status === 'collecting' && !wasReceiving) known.since = clock.nowMs()
      known.telemetry = telemetry
      const reception = receptionOf(telemetry, known.since)
      changed(known, { ...telemetryFields(basisOf(known)), reception })
    }
  }

  function onLevels(serverId: string, message: Levels): void {
    for (const { channelId, levels } of message.channels) {
      const known = ownChannel(serverId, channelId)
      if (known?.object.values.status === 'collecting') known.object.set({ levels })
    }
  }

  events.on('deviceConnected', ({ deviceId, kind, hello }) => {
    if (kind !== 'server') return
    refreshServer(deviceId)
    slots.offered(deviceId, hello.slots ?? [])
  })
  events.on('device:serverTelemetry', ({ deviceId, message }) => measured(deviceId, message))
  events.on('device:levels', ({ deviceId, message }) => onLevels(deviceId, message))
  events.on('device:serverReport', ({ deviceId }) => refreshServer(deviceId))
  events.on('deviceDisconnected', ({ deviceId, kind }) => {
    if (kind !== 'server') return
    for (const known of byServer.get(deviceId) ?? []) known.telemetry = undefined
    refreshServer(deviceId)
  })

  events.on('deviceRemoved', ({ deviceId }) => {
    for (const { facts } of byServer.get(deviceId) ?? []) {
      devices.memberships.gone('channel', facts.id)
      drop(facts.id)
    }
  })

  async function hold(
    transaction: DatabaseTransaction,
    id: string,
    holder: { id: string; unitId: string },
    settingsOf: Parameters<typeof table.takeChannel>[3],
  ): Promise<ChannelChange> {
    const known = channels.get(id)
    const isThere = known && servers.isOnline(known.facts.serverId)
    const since = { ...holder, sinceMs: clock.nowMs() }
    const facts = isThere ? await table.takeChannel(transaction, id, since, settingsOf) : undefined
    const change = await changeOf(transaction, facts)
    if (!change) throw new Conflict('channel.busyOrOffline')
    return change
  }

  const changeOf: ChannelChanges['changeOf'] = async (transaction, facts) =>
    facts && { facts, wanted: await wantChannels(devices, transaction, facts.serverId) }

  const putOutOf: ChannelChanges['putOutOf'] = async (transaction, before, after) => {
    const change = await changeOf(transaction, after)
    await requireOutputLicence(devices, transaction, before, after)
    return change
  }

  const withRevision = ({ object }: Known): Channel => ({ ...object.values, rev: live.revisionOf(object) })

  const mayRead = (scope: Scope, { facts }: Known) =>
    devices.memberships.isReadable(scope, 'channel', facts.id, facts.inventoryId)

  function readable(scope: Scope, id: string): Known {
    const known = channels.get(id)
    if (!known || !mayRead(scope, known)) throw new NotFound('channel')
    return known
  }

  async function membersOf(scope: Scope, groupId: string): Promise<Known[]> {
    await groups.get(scope, groupId)
    return devices.memberships.membersOf('channel', groupId).flatMap((id) => channels.get(id) ?? [])
  }

  function drop(id: string): void {
    const serverId = channels.get(id)?.facts.serverId ?? ''
    channels.delete(id)
    feeds.forget(id)
    byServer.set(
      serverId,
      (byServer.get(serverId) ?? []).filter(({ facts }) => facts.id !== id),
    )
    live.remove(channelTopic, id)
    events.emit('channelChanged', { channelId: id })
    refreshFeeds(id)
  }

  /** They show what it is called. */
  function refreshFeeds(channelId: string): void {
    for (const id of feeds.of(channelId)) {
      const feed = channels.get(id)
      if (feed) refresh(feed)
    }
  }

  function adopt(changes: readonly (ChannelChange | undefined)[]): void {
    for (const change of changes) {
      const known = change && channels.get(change.facts.id)
      if (!change || !known) continue
      known.facts = change.facts
      feeds.note(change.facts)
      devices.adopt([change.wanted])
      refresh(known)
      refreshFeeds(change.facts.id)
    }
  }

  const factsOf = (id: string) => channels.get(id)?.facts
  const all = () => [...channels.values()].map(({ object }) => object.values)
  const slots = createSlots({ ...needs, add, changeOf, adopt })
  const administrative = { ...needs, all, changeOf, putOutOf, adopt, add, drop }
  devices.completeWanted((state) => withInputKeys(needs.sealing, factsOf, state))
  const administration = createChannelAdministration({ ...administrative, of: receivingServers })
  return {
    ...createChannelHolds(factsOf),
    ...createChannelReturns({ ...needs, factsOf, hold, changeOf }),
    ...createChannelOverlays({ changeOf }),
    ...createChannelLimits({ changeOf }),
    ...privateSessions,
    administration,
    inputKeys: createInputKeys({ ...needs, administration, factsOf, changeOf, adopt }),
    destinations: createDestinations({ ...needs, administration, putOutOf, adopt }),
    smpte: createChannelSmpte({ factsOf, putOutOf }),
    settings: createChannelSettings({ ...needs, administration, changeOf, adopt }),
    sources: createInputSources({ ...needs, administration, changeOf, adopt }),
    returnAdministration: createChannelAdministration({ ...administrative, of: ['vr_server'] }),
    get: (scope, id) => withRevision(readable(scope, id)),
    known(id) {
      const known = channels.get(id)
      return known && withRevision(known)
    },
    readable: (scope) => [...channels.values()].filter((known) => mayRead(scope, known)).map(withRevision),
    find(scope, idOrName) {
      const byId = channels.get(idOrName)
      const known =
        byId ?? [...channels.values()].find((one) => one.facts.name === idOrName && mayRead(scope, one))
      return known && mayRead(scope, known) ? withRevision(known) : undefined
    },
    ofGroup: async (scope, groupId) => (await membersOf(scope, groupId)).map(withRevision).sort(byName),
    ofServer: (serverId) => (byServer.get(serverId) ?? []).map(withRevision).sort(byName),
    serverChanged: refreshServer,
    async multiCamera(scope, groupId) {
      return (await membersOf(scope, groupId)).flatMap(({ facts }) => {
        const members = facts.settings.members?.flatMap((id) => channels.get(id)?.object.values ?? [])
        return members ? [multiCameraOf(facts, members)] : []
      })
    },
    addresses(scope, id) {
      const { facts, object } = readable(scope, id)
      const { port, inputAddress } = object.values
      return servers.addresses(facts.serverId).map((ip) => ({ ip, port: port ?? portIn(inputAddress) }))
    },
    targets(id) {
      const known = channels.get(id)
      const port = known && basisOf(known).port
      return known && port ? servers.addresses(known.facts.serverId).map((host) => ({ host, port })) : []
    },
    serverOf: (id) => channels.get(id)?.facts.serverId,
    telemetry: (id) => channels.get(id)?.telemetry,
    take: (transaction, id, intake) =>
      hold(transaction, id, { id: intake.transmissionId, unitId: intake.unitId }, () => ({ intake })),
    async free(transaction, id, transmissionId) {
      return await changeOf(transaction, await table.freeChannel(transaction, id, transmissionId))
    },
    async setBuffer(transaction, id, transmissionId, bufferMs) {
      const held = await table.holdChannel(transaction, id)
      const intake = held?.settings.intake
      if (!held || intake?.transmissionId !== transmissionId) return undefined
      const copies = held.settings.copies?.map((copy) => ({ ...copy, bufferMs })) ?? []
      const facts = await table.saveSettings(transaction, held, { intake: { ...intake, bufferMs }, copies })
      return await changeOf(transaction, facts)
    },
    labels: (id) => channels.get(id)?.facts.settings.intake?.labels,
    async setLabels(transaction, id, transmissionId, labels) {
      const held = await table.holdChannel(transaction, id)
      const intake = held?.settings.intake
      if (!held || intake?.transmissionId !== transmissionId) return undefined
      return await changeOf(
        transaction,
        await table.saveSettings(transaction, held, { intake: { ...intake, labels } }),
      )
    },
    fedBy: feeds.fedBy,
    copies: (id) => channels.get(id)?.facts.settings.copies ?? [],
    async setCopies(transaction, id, transmissionId, copies) {
      const held = await table.holdChannel(transaction, id)
      if (held?.transmissionId !== transmissionId) return undefined
      return await changeOf(transaction, await table.saveSettings(transaction, held, { copies }))
    },
    ...createCdnStreams({ factsOf, changeOf }),
    ...createSocialStreams({ factsOf, changeOf }),
    adopt,
    async setRecording(scope, id, recording) {
      const { facts } = readable(scope, id)
      if (!servers.isOnline(facts.serverId)) throw new Conflict('channel.busyOrOffline')
      const change = await db.transaction().execute(async (transaction) => {
        const held = await table.holdChannel(transaction, id)
        if (!held) throw new NotFound('channel')
        return await changeOf(transaction, await table.saveSettings(transaction, held, { recording }))
      })
      adopt([change])
    },
    provide: fieldProviders('channels', (id, values) => {
      const known = channels.get(id)
      if (known) changed(known, values)
    }),
    unitRenamed(unitId) {
      for (const known of channels.values()) {
        if (known.facts.allocatedUnitId !== unitId) continue
        known.object.set(allocationFields(known.facts, devices.get(unitId)?.name ?? null))
      }
    },
    async start() {
      for (const facts of await table.allChannels(db)) add(facts)
      // A feed may have been read before its channel.
      for (const known of channels.values()) if (known.facts.settings.feedFrom) refresh(known)
    },
  }
}
