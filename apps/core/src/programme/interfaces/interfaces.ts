// Tallies and IFBs of servers: the channel of each, and the tally state of channels and of the units on them.

import { Conflict, NotAllowed, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Ifb, InterfaceKind, TallyInterface } from '@backhaul/contract/nouns/interfaces'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Users } from '../../people/users/users.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import * as table from './interface-table.ts'
import { createUnitTallies } from './unit-tallies.ts'

export interface Interfaces {
  /** Throws NotFound for a customer out of scope, NotAllowed without the tally service. */
  tallies(caller: Caller, inventoryId: string): Promise<TallyInterface[]>
  ifbs(scope: Scope, inventoryId: string): Promise<Ifb[]>
  /** Throws NotFound for an interface or a channel that is not the customer's, Conflict for one that is taken. */
  associateTally(
    caller: Caller,
    inventoryId: string,
    tally: string,
    channel: string | null,
  ): Promise<TallyInterface>
  /** By hand. Throws NotFound for a channel out of scope, NotAllowed without the tally service, Conflict in a private session. */
  lightTally(caller: Caller, channelId: string, onAir: boolean): Promise<void>
  /** Throws the same as associateTally, and Conflict without the service of IFB. */
  associateIfb(scope: Scope, inventoryId: string, ifb: string, channel: string | null): Promise<Ifb>
  /** The customer's IFB that belongs to the channel; `own` is its id at the server. */
  ifbOf(inventoryId: string, channelId: string): { id: string; serverId: string; own: string } | undefined
  start(): Promise<void>
}

interface Needs {
  db: Database
  events: Events
  inventories: Inventories
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  services: Services
  users: Users
}

export function createInterfaces(needs: Needs): Interfaces {
  const { db, events, inventories, devices, servers, channels, units, services, users } = needs
  const showOnChannel = channels.provide('tally', 'tallyName', 'tallyByHand', 'ifb')
  /** The associations by interface. */
  let channelOf = new Map<string, table.Association>()
  /** For each server, which of its tallies are on. */
  const onAir = new Map<string, ReadonlySet<string>>()

  async function reread(): Promise<void> {
    const before = [...channelOf.values()]
    channelOf = new Map((await table.associations(db)).map((one) => [one.interfaceId, one]))
    for (const { channelId } of [...before, ...channelOf.values()]) show(channelId)
  }

  const idOf = (serverId: string, own: string) => `${serverId}:${own}`

  /** All of a kind that the customer's servers have reported. */
  function of(inventoryId: string, kind: InterfaceKind) {
    return devices
      .ofInventory('server', inventoryId)
      .flatMap((server) =>
        (servers.memory(server.id)?.actual.interfaces ?? [])
          .filter((one) => one.kind === kind)
          .map((one) => {
            const id = idOf(server.id, one.id)
            const channel = channels.known(channelOf.get(id)?.channelId ?? '')
            const isOn = onAir.get(server.id)?.has(one.id) === true
            return {
              id,
              name: one.name,
              serverId: server.id,
              serverName: server.name,
              online: servers.isOnline(server.id),
              channel: channel?.uniqueId ?? null,
              channelName: channel?.name ?? null,
              isOn,
              supportedByUnit: channel !== undefined && unitShowsTally(channel),
            }
          }),
      )
      .sort((a, b) => a.serverName.localeCompare(b.serverName) || a.name.localeCompare(b.name))
  }

  const unitShowsTally = ({ allocatedToUnitUid }: Pick<Channel, 'allocatedToUnitUid'>) =>
    units.values(allocatedToUnitUid ?? '')?.capabilities.tally === true

  /** The fields of a channel that its interfaces decide. */
  function show(channelId: string): void {
    const channel = channels.known(channelId)
    if (!channel) return
    const own = [...channelOf.values()].filter((one) => one.channelId === channelId)
    const found = (kind: InterfaceKind) =>
      of(channel.inventoryId, kind).find(({ id }) => own.some(({ interfaceId }) => interfaceId === id))
    const tally = found('tally')
    const tallyByHand = own.some(({ kind }) => kind === 'hand')
    const isByMixer = tally?.isOn === true && tally.online
    showOnChannel(channelId, {
      tallyName: tally?.name ?? null,
      ifb: found('ifb')?.name ?? null,
      tallyByHand,
      tally: { onAir: isByMixer || tallyByHand, supportedByUnit: unitShowsTally(channel) },
    })
  }

  function showServer(serverId: string): void {
    for (const { interfaceId, channelId } of channelOf.values())
      if (interfaceId.startsWith(`${serverId}:`)) show(channelId)
  }

  events.on('device:serverReport', ({ deviceId, message }) => {
    if (message.actual.interfaces) showServer(deviceId)
  })
  events.on('device:tallies', ({ deviceId, message }) => {
    onAir.set(deviceId, new Set(message.on))
    showServer(deviceId)
  })
  events.on('device:report', ({ deviceId, message }) => {
    if (!message.actual.capabilities) return
    for (const { channelId } of channelOf.values())
      if (channels.known(channelId)?.allocatedToUnitUid === deviceId) show(channelId)
  })
  events.on('deviceDisconnected', ({ deviceId }) => {
    onAir.delete(deviceId)
    showServer(deviceId)
  })
  events.on('channelChanged', ({ channelId }) => show(channelId))
  const unitTallies = createUnitTallies(needs)

  async function requireTallyService({ userId }: Caller): Promise<void> {
    const userServices = (await users.person(userId))?.services ?? []
    const closed = gate('tally', { userServices })
    if (closed !== undefined) throw new NotAllowed(closed)
  }

  const talliesOf = (inventoryId: string): TallyInterface[] =>
    of(inventoryId, 'tally').map(({ isOn, ...one }) => ({ ...one, onAir: isOn }))

  async function ifbsOf(scope: Scope, inventoryId: string): Promise<Ifb[]> {
    await inventories.get(scope, inventoryId)
    const isEnded = gate('ifb', { services: await services.inForce([inventoryId]) }) !== undefined
    return of(inventoryId, 'ifb').map(({ isOn: _, supportedByUnit: __, ...one }) => ({
      ...one,
      frozen: isEnded && one.channel !== null,
    }))
  }

  async function associate(
    held: TallyInterface | Ifb | undefined,
    kind: InterfaceKind,
    inventoryId: string,
    channelId: string | null,
  ): Promise<string> {
    if (!held) throw new NotFound(kind)
    if (channelId === null) await table.dissociate(db, held.id)
    else {
      if (channels.known(channelId)?.inventoryId !== inventoryId) throw new NotFound('channel')
      if (held.channel !== null && held.channel !== channelId)
        throw new Conflict(because('interface.taken', { name: held.name, channel: held.channelName ?? '' }))
      const association = { interfaceId: held.id, kind, channelId }
      await db.transaction().execute((transaction) => table.associate(transaction, association))
    }
    await reread()
    return held.id
  }

  return {
    async tallies(caller, inventoryId) {
      await inventories.get(caller.scope, inventoryId)
      await requireTallyService(caller)
      return talliesOf(inventoryId)
    },
    ifbs: ifbsOf,
    async associateTally(caller, inventoryId, tally, channel) {
      await inventories.get(caller.scope, inventoryId)
      await requireTallyService(caller)
      const held = talliesOf(inventoryId).find(({ id }) => id === tally)
      const id = await associate(held, 'tally', inventoryId, channel)
      return talliesOf(inventoryId).find((one) => one.id === id) as TallyInterface
    },
    async lightTally(caller, channelId, onAir) {
      const channel = channels.get(caller.scope, channelId)
      await requireTallyService(caller)
      channels.requireJoin(caller, channel)
      const interfaceId = `hand:${channel.uniqueId}`
      if (!onAir) await table.dissociate(db, interfaceId)
      else {
        const association = { interfaceId, kind: 'hand' as const, channelId: channel.uniqueId }
        await db.transaction().execute((transaction) => table.associate(transaction, association))
      }
      await reread()
    },
    async associateIfb(scope, inventoryId, ifb, channel) {
      const held = (await ifbsOf(scope, inventoryId)).find(({ id }) => id === ifb)
      const closed = gate('ifb', { services: await services.inForce([inventoryId]) })
      if (channel !== null && closed !== undefined) throw new Conflict(closed)
      const id = await associate(held, 'ifb', inventoryId, channel)
      events.emit('ifbsChanged', { inventoryId })
      return (await ifbsOf(scope, inventoryId)).find((one) => one.id === id) as Ifb
    },
    ifbOf(inventoryId, channelId) {
      const found = of(inventoryId, 'ifb').find(({ channel }) => channel === channelId)
      return found && { ...found, own: found.id.slice(found.serverId.length + 1) }
    },
    async start() {
      await reread()
      unitTallies.start()
    },
  }
}
