// Servers for administrators: lists, records, settings, restart and deletion.

import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, InvalidRequest, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import { because, type Wording } from '@backhaul/contract/define/refusals'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { COMMAND_DEADLINE_MS } from '@backhaul/contract/nouns/commands'
import type {
  AdministeredServer,
  NewServer,
  ServerChange,
} from '@backhaul/contract/nouns/device-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { deletionFault } from '@backhaul/contract/nouns/server-deletion'
import {
  FollowedSetting,
  productOfServerType,
  type Server,
  type ServerSettings,
  type ServerType,
} from '@backhaul/contract/nouns/servers'
import type { Clock } from '@backhaul/runtime/clock'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { AccessApprovals } from '../access-approvals/access-approvals.ts'
import type { Channels } from '../channels/channels.ts'
import type { Device, DeviceDetails, Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import * as table from './device-administration-table.ts'
import {
  groupsAfter,
  keptFields,
  type Names,
  namesFor,
  nameTaken,
  ownedAs,
  requireGroups,
  requireUniqueSerial,
  requireVendor,
} from './records.ts'
import { createServerOrders } from './server-orders.ts'

export interface ServerRecords {
  /** Throws NotFound for a customer or a group outside the caller's scope. */
  page(
    scope: Scope,
    query: PageQuery,
    of: {
      inventory?: string | undefined
      group?: string | undefined
      type?: ServerType | undefined
      ifb?: 'on' | undefined
    },
  ): Promise<Page<AdministeredServer>>
  /** Throws Conflict for a name or a serial number that the customer has already. */
  create(scope: Scope, server: NewServer): Promise<AdministeredServer>
  /** Throws Conflict for a taken name and a setting that the server does not support, InvalidRequest for too many channels. */
  change(caller: Caller, id: string, changes: ServerChange): Promise<AdministeredServer>
  /** Throws NotFound for a server without settings, as `configure` does. */
  settings(scope: Scope, id: string): ServerSettings
  configure(scope: Scope, id: string, settings: Partial<ServerSettings>): Promise<ServerSettings>
  /** Throws Conflict while one of its channels is in use. */
  remove(scope: Scope, id: string, found: Found): Promise<void>
  /** Throws Conflict for an older version and when the server is not connected or refuses. */
  restart(caller: Caller, id: string): Promise<void>
  /** Throws NotFound for a server outside the caller's scope. */
  require(scope: Scope, id: string): void
  /** Why the caller cannot restart it now; undefined when they can. Throws NotFound. */
  restartRefusal(caller: Caller, id: string): Promise<Wording | undefined>
}

const keys = ['name', 'serialNumber', 'productType', 'swVersion', 'inventoryName', 'state'] as const

interface Needs {
  db: Database
  clock: Clock
  events: Events
  inventories: Inventories
  groups: Groups
  devices: Devices
  servers: Servers
  channels: Channels
  accessApprovals: AccessApprovals
}

export function createServerRecords(needs: Needs): ServerRecords {
  const { db, clock, inventories, groups, devices, servers, channels, accessApprovals } = needs
  const orders = createServerOrders(needs)

  function shown(server: Omit<Server, 'rev'>, names: Names): AdministeredServer {
    const { deviceId, uniqueId: _, inventoryId: __, ...fields } = server
    const device = devices.get(deviceId) as Device
    const { groups: ofServer = [], address = '', inventories: sharers = [] } = device.details
    return {
      ...fields,
      ...keptFields(device, ofServer, names),
      channels: channels.ofServer(deviceId).length,
      address,
      inventories: sharers,
    }
  }

  async function one(scope: Scope, id: string): Promise<AdministeredServer> {
    return shown(servers.get(scope, id), await namesFor(needs, scope))
  }

  function settable(scope: Scope, id: string): Server {
    const server = servers.get(scope, id)
    if (server.type !== 'mmh_server') throw new NotFound('server')
    return server
  }

  function requireSettings({ deviceId, capabilities }: Server, requested: Partial<ServerSettings>): void {
    const now = servers.settings(deviceId)
    const offered = servers.memory(deviceId)?.slots.length ?? 0
    if (requested.maxChannels !== undefined && offered > 0 && requested.maxChannels > offered)
      throw InvalidRequest.at('settings.maxChannels', because('number.orLess', { most: offered }))
    const strange = FollowedSetting.options.find(
      (name) =>
        requested[name] !== undefined &&
        requested[name] !== now[name] &&
        // The abilities of a machine that has never joined are not known yet: it is sent the settings when it joins.
        capabilities !== null &&
        !capabilities.settings?.includes(name),
    )
    if (strange === undefined) return
    throw Conflict.at(`settings.${strange}`, 'server.settingUnsupported')
  }

  async function writeSettings(id: string, requested: Partial<ServerSettings>): Promise<void> {
    const change = await db.transaction().execute((transaction) =>
      devices.changeWanted<ServerWanted>(transaction, id, (now) => ({
        ...now,
        settings: { ...now.settings, ...requested },
      })),
    )
    devices.adopt([change])
  }

  async function detailsAfter(
    scope: Scope,
    { id, inventoryId }: Device,
    changes: ServerChange,
  ): Promise<(now: DeviceDetails) => DeviceDetails> {
    const { groups: requested, address, inventories: sharers, ownership, expiration } = changes
    const { outputChannels: licensed } = changes
    if (requested !== undefined) await requireGroups(needs, scope, inventoryId, requested)
    for (const sharer of sharers ?? []) await inventories.get(scope, sharer)
    const before = devices.get(id)?.details.groups ?? []
    const after = requested && (await groupsAfter(needs, scope, before, requested))
    return ({ expiresMs, outputChannels, ...now }) => ({
      ...(ownership === undefined ? now : ownedAs(ownership)(now)),
      ...(after && { groups: after }),
      ...(address !== undefined && { address }),
      ...(sharers && { inventories: sharers }),
      ...(licensed === undefined
        ? outputChannels !== undefined && { outputChannels }
        : licensed !== null && { outputChannels: licensed }),
      ...(expiration === undefined
        ? expiresMs !== undefined && { expiresMs }
        : expiration !== null && { expiresMs: Date.parse(expiration) }),
    })
  }

  async function requireRestart(caller: Caller, { deviceId, swVersion, state }: Server): Promise<void> {
    await accessApprovals.require(caller, deviceId)
    const closed = gate('restartServer', { serverVersion: swVersion })
    if (closed !== undefined) throw new Conflict(closed)
    if (state === 'offline') throw new Conflict('server.offline')
  }

  return {
    async page(scope, query, { inventory, group, type, ifb }) {
      if (inventory !== undefined) await inventories.get(scope, inventory)
      if (group !== undefined) await groups.get(scope, group)
      const names = await namesFor(needs, scope)
      const found = servers
        .ofType(scope, type)
        .filter(({ inventoryId }) => inventory === undefined || inventoryId === inventory)
        .filter(({ IFBMode }) => ifb === undefined || IFBMode !== 'off')
        .map((server) => shown(server, names))
        .filter((server) => group === undefined || server.groups.some(({ uid }) => uid === group))
      return pageOf(found, pagingOf(query, keys))
    },
    async create(
      scope,
      { type, inventory: inventoryId, groups: requested, address, inventories: sharers, ...given },
    ) {
      await inventories.get(scope, inventoryId)
      await requireGroups(needs, scope, inventoryId, requested)
      for (const sharer of sharers) await inventories.get(scope, sharer)
      const details = { groups: requested, address, inventories: sharers }
      const productType = productOfServerType[type]
      const record = { ...given, kind: 'server' as const, inventoryId, productType, details }
      requireUniqueSerial(needs, record)
      const id = await devices.addRecord(record, async () => () => {})
      if (id === undefined) throw nameTaken()
      return await one(scope, id)
    },
    async change(caller, id, changes) {
      const { scope, roles } = caller
      const server = servers.get(scope, id)
      const { name, comment, settings, ownership, expiration, outputChannels } = changes
      requireVendor(roles, ownership, expiration, outputChannels)
      if (settings) requireSettings(server, settings)
      const next = await detailsAfter(scope, devices.get(id) as Device, changes)
      const named = { ...(name !== undefined && { name }), ...(comment !== undefined && { comment }) }
      if (Object.keys(named).length > 0) await unlessTaken(devices.update(id, named), nameTaken)
      await devices.updateDetails(id, next)
      if (settings && Object.keys(settings).length > 0) await writeSettings(id, settings)
      servers.refresh(id)
      channels.serverChanged(id)
      return await one(scope, id)
    },
    settings: (scope, id) => servers.settings(settable(scope, id).deviceId),
    async configure(scope, id, settings) {
      requireSettings(settable(scope, id), settings)
      await writeSettings(id, settings)
      servers.refresh(id)
      channels.serverChanged(id)
      return servers.settings(id)
    },
    async remove(scope, id, found) {
      found(servers.get(scope, id))
      const fault = deletionFault(channels.ofServer(id))
      if (fault !== undefined) throw new Conflict(fault)
      await devices.remove(id, async (transaction) => {
        const held = await table.heldChannel(transaction, id)
        if (held !== undefined) throw new Conflict(because('server.channelBusy', { channel: held }))
      })
    },
    async restart(caller, id) {
      await requireRestart(caller, servers.get(caller.scope, id))
      const order = { id: `or-${randomBytes(9).toString('base64url')}`, name: 'reset_instance' as const }
      await orders.give(id, { ...order, args: {}, deadlineMs: clock.nowMs() + COMMAND_DEADLINE_MS })
      await db.transaction().execute((transaction) => accessApprovals.noteAct(transaction, caller, id))
    },
    require: (scope, id) => void servers.get(scope, id),
    async restartRefusal(caller, id) {
      try {
        await requireRestart(caller, servers.get(caller.scope, id))
      } catch (error) {
        if (error instanceof Conflict || error instanceof NotAllowed) return error
        throw error
      }
    },
  }
}
