// Ingest: the account of each customer, and the ingest server of each of their channels.
import { isDeepStrictEqual } from 'node:util'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { CLOUD } from '@backhaul/contract/nouns/device-services'
import { gate } from '@backhaul/contract/nouns/gates'
import { type EnhancedServer, foldersOf, type IngestAssociation } from '@backhaul/contract/nouns/ingest'
import { type ServerType, serverTypeOf } from '@backhaul/contract/nouns/servers'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import { createIngestAccounts, type IngestAccounts } from './ingest-accounts.ts'
import * as table from './ingest-table.ts'

export type { DueNewsroom } from './ingest-accounts.ts'

/** Everything throws NotFound for a customer, a channel and a server outside the caller's scope. */
export interface Ingest {
  accounts: IngestAccounts
  servers(scope: Scope, inventoryId: string): Promise<EnhancedServer[]>
  fieldServers(scope: Scope, inventoryId: string): Promise<EnhancedServer[]>
  associations(scope: Scope, inventoryId: string): Promise<IngestAssociation[]>
  /** Throws Conflict without the service and for a server that is full. */
  associate(
    scope: Scope,
    inventoryId: string,
    requested: readonly { channelId: string; ingestServerId: string | null }[],
  ): Promise<IngestAssociation[]>
  ofChannel(scope: Scope, channelId: string): Promise<IngestAssociation>
  channels(scope: Scope, serverId: string, inventoryId?: string): Promise<IngestAssociation[]>
  start(): Promise<void>
  /** Resolves once the servers have been sent what they are to know. */
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  sealing: Sealing
  inventories: Inventories
  devices: Devices
  servers: Servers
  channels: Channels
  services: Services
}

export function createIngest(needs: Needs): Ingest {
  const { db, log, events, inventories, devices, servers, channels, services } = needs
  const showOnChannel = channels.provide('ingestAssociation')
  let ownServers = new Map<string, string>()
  let defaults = new Map<string, string>()

  const serverOf = ({ uniqueId, inventoryId }: Pick<Channel, 'uniqueId' | 'inventoryId'>) =>
    ownServers.get(uniqueId) ?? defaults.get(inventoryId)

  function associationOf(channel: Channel): IngestAssociation {
    const server = devices.get(serverOf(channel) ?? '')
    return {
      channelId: channel.uniqueId,
      channelName: channel.name,
      status: channel.status,
      serverName: channel.serverName,
      ingestServerId: server?.id ?? null,
      ingestServerName: server?.name ?? null,
      isDefault: server !== undefined && !ownServers.has(channel.uniqueId),
    }
  }

  /** By name, the customer's own channels: a lent channel is ingested by its owner. */
  const ofCustomer = (scope: Scope, inventoryId: string): Channel[] =>
    channels
      .readable(scope)
      .filter((channel) => channel.inventoryId === inventoryId)
      .sort((a, b) => a.name.localeCompare(b.name))

  function show(channelId: string): void {
    const channel = channels.known(channelId)
    if (!channel) return
    const { ingestServerId: serverId, ingestServerName: serverName } = associationOf(channel)
    showOnChannel(channelId, {
      ingestAssociation: serverId === null || serverName === null ? null : { serverId, serverName },
    })
  }

  async function reread(): Promise<void> {
    ownServers = await table.associations(db)
    defaults = await table.defaultServers(db)
    for (const server of devices.all('server'))
      for (const { uniqueId } of channels.ofServer(server.id)) show(uniqueId)
    await sendFolders()
  }

  /** The channels for which an ingest server ingests files; a group channel has none of its own. */
  const inCareOf = (serverId: string): Channel[] =>
    devices
      .all('server')
      .flatMap(({ id }) => channels.ofServer(id))
      .filter((channel) => channel.kind !== 'GROUP_CHANNEL' && serverOf(channel) === serverId)

  async function sendAll(): Promise<void> {
    for (const { id, productType, wanted } of devices.all('server')) {
      if (serverTypeOf(productType) !== 'ingest_server') continue
      const next = foldersOf(inCareOf(id))
      if (isDeepStrictEqual((wanted as ServerWanted).ingest ?? [], next)) continue
      const change = await db
        .transaction()
        .execute((transaction) =>
          devices.changeWanted<ServerWanted>(transaction, id, (now) => ({ ...now, ingest: next })),
        )
      devices.adopt([change])
    }
  }

  let sending: Promise<void> = Promise.resolve()
  let isWaiting = false
  /** Before, no association is known. */
  let isStarted = false
  /** One after the other, so that the newest associations are sent last; resolves when those of now are. */
  function sendFolders(): Promise<void> {
    if (isWaiting) return sending
    isWaiting = true
    sending = sending
      .then(() => {
        isWaiting = false
        return sendAll()
      })
      .catch((error) => log.error({ err: error }, 'folders not sent to ingest servers'))
    return sending
  }

  /** By channel: the server that ingests its files, and the name for its folder. */
  const sent = new Map<string, string>()
  function follow(channelId: string): void {
    if (!isStarted) return
    const channel = channels.known(channelId)
    const now = channel && [serverOf(channel), channel.name, channel.serverName].join('/')
    if (channel && now === sent.get(channelId)) return
    if (now === undefined) sent.delete(channelId)
    else sent.set(channelId, now)
    void sendFolders()
  }

  const ofType = (scope: Scope, inventoryId: string, type: ServerType) =>
    servers.ofType(scope, type).filter((server) => server.inventoryId === inventoryId)

  function requireServer(scope: Scope, inventoryId: string, id: string) {
    const server = ofType(scope, inventoryId, 'ingest_server').find(({ uniqueId }) => uniqueId === id)
    if (!server) throw new NotFound('ingest')
    return server
  }

  const closed = async (inventoryId: string) =>
    gate('ingest', { services: await services.inForce([inventoryId]) })

  async function requireService(scope: Scope, inventoryId: string): Promise<void> {
    await inventories.get(scope, inventoryId)
    const reason = await closed(inventoryId)
    if (reason !== undefined) throw new Conflict(reason)
  }

  function enhanced(
    of: ReturnType<typeof ofType>,
    inCare: (serverId: string) => readonly Channel[],
  ): EnhancedServer[] {
    return of.map(({ uniqueId, name, state, swVersion, addresses, maxChannels }) => ({
      uid: uniqueId,
      name,
      state,
      swVersion,
      addresses,
      maxChannels,
      channels: inCare(uniqueId).map(associationOf),
    }))
  }

  function requireCapacity(scope: Scope, inventoryId: string, next: ReadonlyMap<string, string>): void {
    for (const { uniqueId, name, maxChannels } of ofType(scope, inventoryId, 'ingest_server')) {
      const taken = [...next.values()].filter((id) => id === uniqueId).length
      if (taken > maxChannels) throw new Conflict(because('ingest.full', { server: name, most: maxChannels }))
    }
  }

  events.on('channelChanged', ({ channelId }) => {
    show(channelId)
    follow(channelId)
  })
  // Its rows were deleted with the server.
  events.on('deviceRemoved', ({ kind }) => kind === 'server' && void reread())

  return {
    accounts: createIngestAccounts({ ...needs, requireService, closed, requireServer, reread }),
    async servers(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      const all = ofCustomer(scope, inventoryId)
      return enhanced(ofType(scope, inventoryId, 'ingest_server'), (id) =>
        all.filter((channel) => serverOf(channel) === id),
      )
    },
    async fieldServers(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      const inField = ofType(scope, inventoryId, 'mmh_server').filter(
        ({ uniqueId }) => !servers.services(scope, uniqueId).includes(CLOUD),
      )
      return enhanced(inField, channels.ofServer)
    },
    async associations(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      return ofCustomer(scope, inventoryId).map(associationOf)
    },
    async associate(scope, inventoryId, requested) {
      await requireService(scope, inventoryId)
      const known = new Set(ofCustomer(scope, inventoryId).map(({ uniqueId }) => uniqueId))
      const next = new Map(ownServers)
      for (const { channelId, ingestServerId } of requested) {
        if (!known.has(channelId)) throw new NotFound('channel')
        if (ingestServerId === null) next.delete(channelId)
        else next.set(channelId, requireServer(scope, inventoryId, ingestServerId).uniqueId)
      }
      requireCapacity(scope, inventoryId, next)
      await db.transaction().execute(async (transaction) => {
        for (const { channelId, ingestServerId } of requested)
          await table.associate(transaction, channelId, ingestServerId)
      })
      await reread()
      return ofCustomer(scope, inventoryId).map(associationOf)
    },
    async ofChannel(scope, channelId) {
      return associationOf(channels.get(scope, channelId))
    },
    async channels(scope, serverId, inventoryId) {
      const { type, ...server } = servers.get(scope, serverId)
      if (type !== 'ingest_server') throw new NotFound('ingest')
      if (inventoryId !== undefined && server.inventoryId !== inventoryId) throw new NotFound('ingest')
      return ofCustomer(scope, server.inventoryId)
        .filter((channel) => serverOf(channel) === serverId)
        .map(associationOf)
    },
    async start() {
      isStarted = true
      await reread()
    },
    stop: () => sending,
  }
}
