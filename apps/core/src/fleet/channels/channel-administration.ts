// Channels for administrators: created and removed on servers, assigned to inventories and groups.

import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import {
  type AdministeredChannel,
  CHANNELS_PER_SERVER,
  type ChannelChange as Change,
  type ChannelHost,
  type NewChannel,
} from '@backhaul/contract/nouns/channel-administration'
import { channelIsIn, channelKind, encoderInputs } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import { type ServerType, serverTypeOf } from '@backhaul/contract/nouns/servers'
import type { Clock } from '@backhaul/runtime/clock'
import { pageOf, pagingOf, type Window } from '../../database/paging.ts'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { everything, readsInventory, type Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import type { ChannelChanges } from './channel-change.ts'
import { featuresOf, type LiveChannel } from './channel-fields.ts'
import { isReturnServer } from './channel-returns.ts'
import * as table from './channel-table.ts'
import { wantChannels } from './channel-wanted.ts'
import { requireFeed } from './feeds.ts'
import { needsInputKey, sealedInputKey } from './input-keys.ts'
import { newChannel, settingsOfSlot } from './slots.ts'

export interface GroupOfChannel {
  uid: string
  name: string
  inventoryId: string
  inventoryName: string
  isMember: boolean
}

/** A channel of another customer than the caller's is treated like one that does not exist. */
export interface ChannelAdministration {
  page(scope: Scope, query: PageQuery): Promise<Page<AdministeredChannel>>
  one(scope: Scope, id: string): Promise<AdministeredChannel>
  /** Throws Conflict when the name is taken on the server, or the server has no matching slot. */
  create(scope: Scope, request: NewChannel): Promise<AdministeredChannel>
  change(scope: Scope, id: string, changes: Change): Promise<AdministeredChannel>
  /** Throws Conflict while the channel is in use (ER-OTHER-12). */
  remove(scope: Scope, id: string, found?: Found): Promise<void>
  hosts(scope: Scope): Promise<ChannelHost[]>
  inventories(
    scope: Scope,
    id: string,
    window: Window,
  ): Promise<Page<{ id: string; name: string; isHome: boolean }>>
  /** The groups that the channel is in, or all groups of its inventories. */
  groups(scope: Scope, id: string, query: PageQuery, which: 'in' | 'all'): Promise<Page<GroupOfChannel>>
  associate(scope: Scope, id: string, inventoryId: string): Promise<void>
  /** The channel leaves the groups of the inventory; refused while a unit of it holds the channel. */
  disassociate(scope: Scope, id: string, inventoryId: string): Promise<void>
}

interface Needs extends Pick<ChannelChanges, 'putOutOf' | 'adopt'> {
  db: Database
  clock: Clock
  groups: Groups
  inventories: Inventories
  devices: Devices
  servers: Servers
  sealing: Sealing
  all(): Readonly<LiveChannel>[]
  /** Servers on which channels are made. Those that return video, and all others, are administered apart. */
  of: readonly ServerType[]
  add(facts: table.ChannelFacts): void
  drop(id: string): void
}

const keys = ['name', 'type', 'status', 'serverName', 'inventoryName'] as const
/** Servers on which channels are made that receive units. */
export const receivingServers: readonly ServerType[] = ['mmh_server', 'transceiver_server']

export function createChannelAdministration(needs: Needs): ChannelAdministration {
  const { db, clock, devices, servers, groups, inventories, putOutOf, adopt, of: hostTypes } = needs
  /** Channels of video return servers are administered apart from all others. */
  const returns = hostTypes.includes('vr_server')
  const all = () => needs.all().filter(({ serverId }) => isReturnServer(devices, serverId) === returns)

  function administered(scope: Scope, id: string): Readonly<LiveChannel> {
    const channel = all().find(({ uniqueId }) => uniqueId === id)
    if (!channel || !readsInventory(scope, channel.inventoryId)) throw new NotFound('channel')
    return channel
  }

  async function named(channels: readonly Readonly<LiveChannel>[]): Promise<AdministeredChannel[]> {
    const ids = [...new Set(channels.map(({ inventoryId }) => inventoryId))]
    const names = new Map(
      await Promise.all(ids.map(async (id) => [id, (await inventories.get(everything, id)).name] as const)),
    )
    return channels.map(({ levels: _, health: __, reception: ___, ...channel }) => ({
      ...channel,
      inventoryName: names.get(channel.inventoryId) ?? '',
      isBusy: isBusy(channel),
    }))
  }

  async function one(scope: Scope, id: string): Promise<AdministeredChannel> {
    const [channel] = await named([administered(scope, id)])
    return channel as AdministeredChannel
  }

  /** The row of a channel that the caller administers, held until the transaction ends. */
  async function held(
    transaction: DatabaseTransaction,
    scope: Scope,
    id: string,
  ): Promise<table.ChannelFacts> {
    administered(scope, id)
    const facts = await table.holdChannel(transaction, id)
    if (!facts) throw new NotFound('channel')
    return facts
  }

  const mayHost = (scope: Scope, { productType, inventoryId }: Device) =>
    hostTypes.includes(serverTypeOf(productType)) && readsInventory(scope, inventoryId)

  const inputsOf = (serverId: string) => {
    const protocols = servers.memory(serverId)?.actual.capabilities?.protocolsIn ?? []
    return encoderInputs.filter((one) => protocols.includes(one))
  }

  /** Slots that the server offers and no channel has. */
  const freeSlots = (serverId: string, rows: readonly table.ChannelFacts[]) => {
    const used = new Set(rows.map(({ settings }) => settings.slot))
    return (servers.memory(serverId)?.slots ?? []).filter(({ slot, members }) => !members && !used.has(slot))
  }

  /** A free slot that the server offers, else one that it has to add. */
  function placeOf(rows: readonly table.ChannelFacts[], { serverId, inputType, sdiNo }: NewChannel) {
    const free = freeSlots(serverId, rows).filter((slot) => slot.inputType === inputType)
    const slot = free.find((one) => (one.sdiNo ?? null) === sdiNo)
    if (slot) return settingsOfSlot(slot)
    if (sdiNo !== null) throw new Conflict(because('server.noSdi', { output: sdiNo }))
    if (rows.length >= CHANNELS_PER_SERVER) throw new Conflict('server.full')
    // A server treats added slots like those that it offers itself.
    const output = inputType === null && servers.memory(serverId)?.slots.some((one) => one.output) === true
    return { slot: `made-${randomBytes(6).toString('hex')}`, made: true, ...(output && { output }) }
  }

  /** A forced output requires a server that can encode; a group channel has none of its own. */
  function requireFlags(channel: Readonly<LiveChannel>, { forceOutput }: Omit<Change, 'name'>): void {
    if (channel.kind === 'GROUP_CHANNEL') throw new Conflict('channel.groupPart')
    if (forceOutput !== true) return
    const closed = gate('forceOutput', { serverVersion: channel.liveuVersion })
    if (closed !== undefined) throw Conflict.at('forceOutput', closed)
    const { encoders = [] } = servers.memory(channel.serverId)?.actual.capabilities ?? {}
    if (!encoders.includes('libx264')) throw Conflict.at('forceOutput', 'server.cannotEncode')
  }

  async function create(scope: Scope, request: NewChannel): Promise<AdministeredChannel> {
    const server = devices.get(request.serverId)
    if (!server || !mayHost(scope, server)) throw new NotFound('server')
    if (request.inputType !== null && !inputsOf(server.id).includes(request.inputType))
      throw new Conflict(because('server.cannotReceive', { input: request.inputType.toUpperCase() }))
    const made = await uniqueName(
      db.transaction().execute(async (transaction) => {
        // Holds the server, so that two channels do not take one place.
        await devices.changeDetails(transaction, server.id, (details) => details)
        const place = placeOf(await table.channelsOfServer(transaction, server.id), request)
        const facts = newChannel(server.id, server.inventoryId, request, place)
        if (needsInputKey(facts)) facts.settings.inputKey = sealedInputKey(needs.sealing, facts.id)
        const kind = channelKind(featuresOf(facts))
        await table.insertChannel(transaction, { ...facts, kind, createdMs: clock.nowMs() })
        const notify = await groups.joinByItself(transaction, server.inventoryId, 'channel', facts.id)
        const details = await devices.changeDetails(transaction, server.id, (now) => ({
          ...now,
          removedSlots: now.removedSlots?.filter((slot) => slot !== place.slot) ?? [],
        }))
        const wanted = await wantChannels(devices, transaction, server.id)
        return { facts, notify, details, wanted }
      }),
    )
    needs.add(made.facts)
    devices.adoptDetails(made.details)
    devices.adopt([made.wanted])
    made.notify()
    return await one(scope, made.facts.id)
  }

  async function remove(scope: Scope, id: string, found?: Found): Promise<void> {
    const done = await db.transaction().execute(async (transaction) => {
      const facts = await held(transaction, scope, id)
      found?.(facts)
      const { serverId, allocatedUnitId, settings } = facts
      if (allocatedUnitId !== null || isBusy(administered(scope, id))) throw new Conflict('channel.busy')
      const memberOf = devices.memberships.groupsOf('channel', id)
      const notifications = []
      for (const groupId of memberOf)
        notifications.push(await groups.leave(transaction, groupId, 'channel', id))
      await table.deleteChannel(transaction, id)
      const details = await devices.changeDetails(transaction, serverId, (now) =>
        settings.made ? now : { ...now, removedSlots: [...(now.removedSlots ?? []), settings.slot] },
      )
      const wanted = await wantChannels(devices, transaction, serverId)
      return { notifications, details, wanted }
    })
    needs.drop(id)
    devices.adoptDetails(done.details)
    devices.adopt([done.wanted])
    for (const notify of done.notifications) notify()
  }

  async function inventoriesOf({ uniqueId, inventoryId }: Readonly<LiveChannel>): Promise<string[]> {
    return [inventoryId, ...(await table.otherInventories(db, uniqueId))]
  }

  return {
    one,
    create,
    remove,
    async page(scope, query) {
      const mine = all().filter(({ inventoryId }) => readsInventory(scope, inventoryId))
      return pageOf(await named(mine), pagingOf(query, keys))
    },
    async change(scope, id, { name, ...flags }) {
      if (Object.keys(flags).length > 0) {
        const channel = administered(scope, id)
        requireFlags(channel, flags)
        requireFeed(channel, flags, (source) => administered(scope, source))
      }
      const change = await uniqueName(
        db.transaction().execute(async (transaction) => {
          const before = await held(transaction, scope, id)
          const named = name === undefined ? before : await table.renameChannel(transaction, before, name)
          return await putOutOf(transaction, before, await table.saveSettings(transaction, named, flags))
        }),
      )
      adopt([change])
      return await one(scope, id)
    },
    async hosts(scope) {
      const found = devices.all('server').filter((device) => mayHost(scope, device))
      const hosts = found.map(async ({ id, name, inventoryId }) => ({
        uid: id,
        name,
        inventoryName: (await inventories.get(everything, inventoryId)).name,
        inputTypes: inputsOf(id),
        freeSdi: freeSlots(id, await table.channelsOfServer(db, id)).flatMap(({ sdiNo }) => sdiNo ?? []),
      }))
      return (await Promise.all(hosts)).sort((a, b) => a.name.localeCompare(b.name))
    },
    async inventories(scope, id, { limit, offset }) {
      const channel = administered(scope, id)
      const known = await Promise.all(
        (await inventoriesOf(channel)).map((one) => inventories.get(everything, one)),
      )
      const items = known.map((one) => ({
        id: one.id,
        name: one.name,
        isHome: one.id === channel.inventoryId,
      }))
      return { items: items.slice(offset, offset + limit), total: items.length, offset, limit }
    },
    async groups(scope, id, query, which) {
      const of = await inventoriesOf(administered(scope, id))
      const memberOf = devices.memberships.groupsOf('channel', id)
      const found = (await groups.light(scope))
        .filter(({ inventoryId }) => of.includes(inventoryId))
        .map(({ uid, name, inventoryId, inventoryName }) => ({
          uid,
          name,
          inventoryId,
          inventoryName,
          isMember: memberOf.includes(uid),
        }))
        .filter(({ isMember }) => isMember || which === 'all')
      return pageOf(found, pagingOf<'name'>(query, ['name']))
    },
    async associate(scope, id, inventoryId) {
      const { inventoryId: home } = administered(scope, id)
      await inventories.get(scope, inventoryId)
      if (inventoryId !== home) await table.addInventory(db, id, inventoryId)
    },
    async disassociate(scope, id, inventoryId) {
      await inventories.get(scope, inventoryId)
      const notifications = await db.transaction().execute(async (transaction) => {
        const facts = await held(transaction, scope, id)
        if (inventoryId === facts.inventoryId) throw new Conflict('channel.homeInventory')
        if (devices.get(facts.allocatedUnitId ?? '')?.inventoryId === inventoryId)
          throw new Conflict('channel.busy')
        if (!(await table.removeInventory(transaction, id, inventoryId))) throw new NotFound('inventory')
        const memberOf = devices.memberships.groupsOf('channel', id)
        const left = memberOf.filter((groupId) => groups.inventoryOf(groupId) === inventoryId)
        return await Promise.all(left.map((groupId) => groups.leave(transaction, groupId, 'channel', id)))
      })
      for (const notify of notifications) notify()
    },
  }
}

/** A unit holds it, or it is in use; a studio that feeds a return channel does not count as use. */
const isBusy = ({
  allocatedToUnitUid,
  status,
}: Pick<LiveChannel, 'allocatedToUnitUid' | 'status'>): boolean =>
  allocatedToUnitUid !== null || (channelIsIn(status, 'busy') && status !== 'videoReturnInputConnected')
