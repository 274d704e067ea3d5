// Audio rooms: where users and units of a customer speak with each other; one in use cannot be removed.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import type { AudioRoom, AudioRoomChange, NewAudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Interfaces } from '../interfaces/interfaces.ts'
import { type AudioConnect, createAudioConnect } from './audio-connect.ts'
import * as table from './audio-room-table.ts'

export interface AudioRooms {
  readonly connect: AudioConnect
  /** Throws NotFound for a customer out of scope. */
  page(scope: Scope, inventoryId: string, query: PageQuery): Promise<Page<AudioRoom>>
  count(scope: Scope, inventoryId: string): Promise<number>
  /** Throws NotFound, as all that follow. */
  get(scope: Scope, inventoryId: string, id: string): Promise<AudioRoom>
  /** Ids of the rooms that the IFB hears. */
  ofIfb(inventoryId: string, ifbId: string): Promise<string[]>
  /** Null once the room is gone. */
  nameOf(inventoryId: string, id: string): Promise<string | null>
  /** Rooms of the unit's customer in which the unit may speak, by name. */
  ofUnit(unit: Pick<Unit, 'uid' | 'inventoryId'>): Promise<Pick<AudioRoom, 'id' | 'name'>[]>
  /** The first by name that belongs to the channel. */
  ofChannel(inventoryId: string, channelId: string): Promise<Pick<AudioRoom, 'id' | 'name'> | undefined>
  /** Throws Conflict for a name that the inventory has; NotFound for what is not of the customer. */
  create(scope: Scope, inventoryId: string, room: NewAudioRoom): Promise<AudioRoom>
  change(scope: Scope, inventoryId: string, id: string, change: AudioRoomChange): Promise<AudioRoom>
  /** Throws Conflict while it has participants. */
  remove(scope: Scope, inventoryId: string, id: string): Promise<AudioRoom>
}

interface Needs {
  db: Database
  clock: Clock
  inventories: Inventories
  interfaces: Interfaces
  units: Units
  channels: Channels
  events: Events
  devices: Devices
  servers: Servers
}

const roomKeys = ['name', 'description'] as const

export function createAudioRooms(needs: Needs): AudioRooms {
  const { db, clock, events, inventories, interfaces, devices, units, channels } = needs
  const connect = createAudioConnect(needs)
  const shown = (facts: table.RoomFacts): AudioRoom => ({
    ...facts,
    participants: [...connect.participantsOf(facts.id), ...crewsIn(facts)],
  })

  /** Names of units that speak in the room, or are about to. */
  const crewsIn = ({ id, inventory }: table.RoomFacts): string[] =>
    devices.ofInventory('unit', inventory).flatMap(({ id: uid, wanted }) => {
      const sessions = (wanted as Partial<UnitWanted>).intercoms ?? []
      if (!sessions.some(({ roomId }) => roomId === id)) return []
      const unit = units.values(uid)
      const isThere = sessions.some(
        ({ roomId, intercom }) => roomId === id && unit?.intercoms[intercom - 1]?.state != null,
      )
      return unit && isThere ? [unit.name] : []
    })

  async function get(scope: Scope, inventoryId: string, id: string): Promise<AudioRoom> {
    await inventories.get(scope, inventoryId)
    const facts = await table.findRoom(db, inventoryId, id)
    if (!facts) throw new NotFound('audioRoom')
    return shown(facts)
  }

  /** Treats objects of other customers as absent. */
  async function requireOwn(scope: Scope, inventoryId: string, room: AudioRoomChange): Promise<void> {
    const isOwn = (one: { inventoryId: string } | undefined) => one?.inventoryId === inventoryId
    if (room.units?.some((id) => !isOwn(units.values(id)))) throw new NotFound('unit')
    if (room.channels?.some((id) => !isOwn(channels.known(id)))) throw new NotFound('channel')
    if (!room.interfaces || room.interfaces.length === 0) return
    const known = new Set((await interfaces.ifbs(scope, inventoryId)).map(({ id }) => id))
    if (room.interfaces.some((id) => !known.has(id))) throw new NotFound('ifb')
  }

  return {
    connect,
    async page(scope, inventoryId, query) {
      await inventories.get(scope, inventoryId)
      const page = await table.roomPage(db, inventoryId, pagingOf(query, roomKeys))
      return { ...page, items: page.items.map(shown) }
    },
    async count(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      return await table.countRooms(db, inventoryId)
    },
    get,
    ofUnit: async ({ uid, inventoryId }) =>
      (await table.roomsOf(db, inventoryId)).flatMap(({ id, name, units: members }) =>
        members.includes(uid) ? [{ id, name }] : [],
      ),
    async ofChannel(inventoryId, channelId) {
      const room = (await table.roomsOf(db, inventoryId)).find((one) => one.channels.includes(channelId))
      return room && { id: room.id, name: room.name }
    },
    ofIfb: async (inventoryId, ifbId) =>
      (await table.roomsOf(db, inventoryId)).flatMap((one) =>
        one.interfaces.includes(ifbId) ? [one.id] : [],
      ),
    nameOf: async (inventoryId, id) => (await table.findRoom(db, inventoryId, id))?.name ?? null,
    async create(scope, inventoryId, room) {
      await inventories.get(scope, inventoryId)
      await requireOwn(scope, inventoryId, room)
      const facts = { id: `ar-${randomBytes(9).toString('base64url')}`, inventory: inventoryId, ...room }
      await uniqueName(table.insertRoom(db, facts, clock.nowMs()))
      events.emit('ifbsChanged', { inventoryId })
      return shown(facts)
    },
    async change(scope, inventoryId, id, change) {
      const { participants, ...held } = await get(scope, inventoryId, id)
      await requireOwn(scope, inventoryId, change)
      const facts = { ...held, ...change } as table.RoomFacts
      await uniqueName(table.updateRoom(db, facts))
      events.emit('ifbsChanged', { inventoryId })
      events.emit('audioRoomChanged', { inventoryId, roomId: id })
      return { ...facts, participants }
    },
    async remove(scope, inventoryId, id) {
      const room = await get(scope, inventoryId, id)
      if (room.participants.length > 0) throw new Conflict('audioRoom.inUse')
      await table.deleteRoom(db, id)
      events.emit('ifbsChanged', { inventoryId })
      return room
    },
  }
}
