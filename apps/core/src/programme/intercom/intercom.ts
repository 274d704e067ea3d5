// Intercom of units: lines that are set, and sessions on them, each as a change of what is wanted of the unit.

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '@backhaul/contract/define/errors'
import { reasonFields, type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { UnitWanted, WantedIntercom } from '@backhaul/contract/gateway/units'
import type { CommandName } from '@backhaul/contract/nouns/commands'
import {
  type AudioJack,
  firstLine,
  type IntercomLine,
  type IntercomNumber,
  type IntercomOptions,
  intercomNumbers,
  type SipAccount,
  sessionRefusal,
} from '@backhaul/contract/nouns/intercom'
import { firstUnitIfb } from '@backhaul/contract/nouns/interfaces'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { intercomRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import type { AudioRooms } from '../audio-rooms/audio-rooms.ts'
import { createSpeechPlaces, sessionsOf as sessionsIn } from './speech-places.ts'

/** All throw NotFound for a unit outside the caller's scope. */
export interface UnitIntercom {
  options(scope: Scope, unitId: string): Promise<IntercomOptions>
  /** Throws Conflict where the line is closed or in use, and for a room that is not open to the unit; answers the command. */
  set(caller: Caller, unitId: string, intercom: IntercomNumber, line: IntercomLine): Promise<string>
  /** Throws Conflict for a jack that the unit does not have. */
  setJacks(caller: Caller, unitId: string, jacks: readonly AudioJack[]): Promise<string>
  start(caller: Caller, unitId: string, intercom: IntercomNumber): Promise<string>
  stop(caller: Caller, unitId: string, intercom: IntercomNumber): Promise<string>
  sipAccount(scope: Scope, unitId: string): SipAccount | null
  setSipAccount(scope: Scope, unitId: string, account: SipAccount | null): Promise<void>
  /** Resumes what was running when core stopped. */
  resume(): Promise<void>
  close(): void
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  devices: Devices
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  transmissions: Transmissions
  services: Services
  audioRooms: AudioRooms
}

/** A unit that is disconnected for longer has left its sessions; a change of the network takes less. */
const lostAfterMs = 10_000
/** A server that starts again takes less. */
const serverLostAfterMs = 60_000

const startOf = { 1: 'start_intercom', 2: 'start_intercom2' } as const satisfies Record<1 | 2, CommandName>
const stopOf = { 1: 'stop_intercom', 2: 'stop_intercom2' } as const satisfies Record<1 | 2, CommandName>

type Sessions = readonly WantedIntercom[]

export function createUnitIntercom(needs: Needs): UnitIntercom {
  const { db, log, events, inventories, devices, channels, units } = needs
  const { accessApprovals, transmissions, services, audioRooms } = needs
  const { commands } = transmissions
  const places = createSpeechPlaces(needs)

  const sessionsOf = (unitId: string): Sessions => sessionsIn(devices.get(unitId)?.wanted)
  const sessionOf = (unitId: string, intercom: IntercomNumber) =>
    sessionsOf(unitId).find((one) => one.intercom === intercom)
  const accountOf = (unitId: string) => devices.get(unitId)?.details.sipAccount ?? null
  const settingsOf = (scope: Scope, unitId: string) => units.settings(scope, unitId).settings
  const servicesOf = ({ inventoryId }: Unit) => services.inForce([inventoryId])
  const serverOfCustomer = async ({ inventoryId }: Unit) =>
    (await inventories.get(everything, inventoryId)).sipServer

  /** The wanted settings of the line. */
  async function openLine(scope: Scope, unit: Unit, intercom: IntercomNumber): Promise<IntercomLine> {
    const closed = intercomRefusal(unit, intercom, await servicesOf(unit))
    if (closed !== undefined) throw new Conflict(closed)
    const line = settingsOf(scope, unit.uid).intercoms?.[intercom - 1]
    if (line === undefined) throw new Conflict('intercom.notBuiltIn')
    return line
  }

  async function isOpenRoom(unit: Unit, roomId: string): Promise<boolean> {
    return (await audioRooms.ofUnit(unit)).some(({ id }) => id === roomId)
  }

  const channelOf = (scope: Scope, { channelId }: Unit) =>
    channelId === null ? undefined : channels.find(scope, channelId)

  /** The room in which the users at the unit's channel speak. */
  async function channelRoomOf(scope: Scope, unit: Unit) {
    const channel = channelOf(scope, unit)
    return channel && (await audioRooms.ofChannel(unit.inventoryId, channel.uniqueId))
  }

  /** The present target of the line, its server, and where its sound goes. */
  async function destinationOf(caller: Caller, unit: Unit, line: IntercomLine) {
    const { mode } = line
    const account = accountOf(unit.uid)
    const roomServer = await serverOfCustomer(unit)
    const server = account?.server ?? roomServer
    const channel = channelOf(caller.scope, unit)
    const channelRoom = await channelRoomOf(caller.scope, unit)
    const isOpen = mode === 'audioRoom' && (await isOpenRoom(unit, line.destinationAccount))
    const refusal = sessionRefusal(line, {
      server,
      roomServer: isOpen ? roomServer : undefined,
      hasChannel: channel !== undefined && channel.status !== 'offline',
      hasChannelRoom: channelRoom !== undefined,
    })
    if (refusal !== undefined) throw new Conflict(refusal)
    const roomId = mode === 'audioRoom' ? line.destinationAccount : (channelRoom?.id ?? '')
    const room = await audioRooms.get(everything, unit.inventoryId, roomId)
    const destination = mode === 'audioRoom' ? roomId : (channel?.uniqueId ?? '')
    const at = { ...places.find(room), roomName: room.name }
    return { mode, destination, server, account: account?.account ?? null, ...at }
  }

  const changeSessions = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (now: Sessions) => WantedIntercom[],
  ) =>
    devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
      ...wanted,
      intercoms: next(wanted.intercoms ?? []),
    }))

  /** `admission` changes what the server admits, before the unit's own state: always in this order. */
  async function command(
    caller: Caller,
    unitId: string,
    { name, intercomId }: { name: CommandName; intercomId: string },
    admission: (transaction: DatabaseTransaction) => Promise<WantedChange[]>,
    next: (now: Sessions) => WantedIntercom[],
  ): Promise<string> {
    const done = await db.transaction().execute(async (transaction) => {
      const serverChanges = await admission(transaction)
      const unitChange = await changeSessions(transaction, unitId, next)
      await accessApprovals.noteAct(transaction, caller, unitId)
      const args = { revision: unitChange.revision, intercomId }
      const written = await commands.write(transaction, { uid: unitId, name, by: caller.username, args })
      return { changes: [...serverChanges, unitChange], written }
    })
    devices.adopt(done.changes)
    units.wantedChanged(unitId)
    commands.open(done.written)
    return done.written.id
  }

  /** Without a request of a user. */
  async function withdraw(unitId: string, why: Wording, isMeant: (one: WantedIntercom) => boolean) {
    const over = sessionsOf(unitId).filter(isMeant)
    if (over.length === 0) return
    const changes = await db.transaction().execute(async (transaction) => {
      const serverChanges = await places.release(transaction, over)
      const unitChange = await changeSessions(transaction, unitId, (now) =>
        now.filter((one) => !over.some(({ id }) => id === one.id)),
      )
      return [...serverChanges, unitChange]
    })
    devices.adopt(changes)
    units.wantedChanged(unitId)
    units.addEvent(unitId, 'status', unitEvent('intercom.ended', {}, why), 'warning')
  }

  const withdrawSoon = (...what: Parameters<typeof withdraw>): void =>
    void withdraw(...what).catch((error) =>
      log.error({ err: error, unitId: what[0] }, 'withdrawal of the intercom session not stored'),
    )

  const loss = devices.watchForLoss(lostAfterMs, {
    isMeant: (unitId) => sessionsOf(unitId).length > 0,
    onLost: (unitId) => withdrawSoon(unitId, wordingOf('unit.lost'), () => true),
  })

  events.on('commandFailed', ({ command: failed }) => {
    const { uid, name, args } = failed
    if (name !== startOf[1] && name !== startOf[2]) return
    withdrawSoon(uid, wordingOfFields(failed, 'command.timedOut'), ({ id }) => id === args.intercomId)
  })
  events.on('deviceMoved', ({ deviceId }) =>
    withdrawSoon(deviceId, wordingOf('unit.otherCustomer'), () => true),
  )

  /** All sessions that are meant, each with its unit. */
  const sessionsThat = (isMeant: (one: WantedIntercom) => boolean) =>
    devices
      .all('unit')
      .flatMap(({ id: unitId }) => sessionsOf(unitId).map((session) => ({ unitId, session })))
      .filter(({ session }) => isMeant(session))
  const atServer = (server: string) => sessionsThat(({ serverId }) => serverId === server)

  function endAtServer(serverId: string): void {
    for (const { unitId, session } of atServer(serverId))
      withdrawSoon(unitId, wordingOf('audioRoom.serverSilent'), ({ id }) => id === session.id)
  }

  const serverLoss = devices.watchForLoss(serverLostAfterMs, {
    isMeant: (serverId) => atServer(serverId).length > 0,
    onLost: endAtServer,
  })

  /** Sessions that continue under other terms. */
  async function changeTerms(
    some: ReturnType<typeof sessionsThat>,
    terms: Partial<Pick<WantedIntercom, 'targets' | 'roomName'>>,
  ): Promise<void> {
    for (const { unitId, session } of some) {
      if (isDeepStrictEqual({ ...session, ...terms }, session)) continue
      const unitChange = await db
        .transaction()
        .execute((transaction) =>
          changeSessions(transaction, unitId, (now) =>
            now.map((one) => (one.id === session.id ? { ...one, ...terms } : one)),
          ),
        )
      devices.adopt([unitChange])
      units.wantedChanged(unitId)
    }
  }

  /** A server that restarted may be called at another address. */
  async function followServer(serverId: string): Promise<void> {
    const targets = places.targets(serverId)
    if (targets.length > 0) await changeTerms(atServer(serverId), { targets })
  }

  /** Ends the sessions of units to which the room is no longer open, by themselves or by their channel; others get its name. */
  async function followRoom(inventoryId: string, roomId: string): Promise<void> {
    const room = await audioRooms.get(everything, inventoryId, roomId)
    const isOpenTo = (unitId: string, { mode, destination }: WantedIntercom) =>
      mode === 'audioRoom' ? room.units.includes(unitId) : room.channels.includes(destination)
    for (const { id: unitId } of devices.ofInventory('unit', inventoryId))
      await withdraw(
        unitId,
        wordingOf('audioRoom.left'),
        (session) => session.roomId === roomId && !isOpenTo(unitId, session),
      )
    await changeTerms(
      sessionsThat((session) => session.roomId === roomId),
      { roomName: room.name },
    )
  }

  /** Servers that admit sessions of no unit; a unit that was removed took its own with it. */
  async function releaseLeft(): Promise<void> {
    const left = places.withoutUnit()
    if (left.length === 0) return
    devices.adopt(await db.transaction().execute((transaction) => places.release(transaction, left)))
  }

  const soon = (id: string, message: string, run: () => Promise<void>): void =>
    void run().catch((error) => log.error({ err: error, id }, message))

  events.on('device:serverReport', ({ deviceId, message }) => {
    if (message.actual.speechPort === undefined && message.actual.addresses === undefined) return
    soon(deviceId, 'new address of the server not sent to its units', () => followServer(deviceId))
  })
  events.on('audioRoomChanged', ({ inventoryId, roomId }) =>
    soon(roomId, 'intercom sessions of a changed audio room not changed', () =>
      followRoom(inventoryId, roomId),
    ),
  )
  events.on('deviceRemoved', ({ deviceId, kind }) => {
    if (kind === 'server') endAtServer(deviceId)
    else soon(deviceId, 'intercom session of the removed unit not released', releaseLeft)
  })

  return {
    async options(scope, unitId) {
      const unit = units.get(scope, unitId)
      const inForce = await servicesOf(unit)
      const closed = intercomNumbers.map((intercom) => reasonFields(intercomRefusal(unit, intercom, inForce)))
      return {
        closed: closed.map(({ reason }) => reason),
        closedCauses: closed.map(({ cause }) => cause ?? null),
        server: accountOf(unitId)?.server ?? (await serverOfCustomer(unit)),
        sipAccount: accountOf(unitId),
        rooms: await audioRooms.ofUnit(unit),
        jacks: settingsOf(scope, unitId).audioJacks ?? [],
        channelRoom: (await channelRoomOf(scope, unit)) ?? null,
        ifb: devices.get(unitId)?.details.ifb ?? firstUnitIfb,
      }
    },
    async set(caller, unitId, intercom, { mode, destinationAccount }) {
      const unit = units.get(caller.scope, unitId)
      await openLine(caller.scope, unit, intercom)
      if (sessionOf(unitId, intercom)) throw new Conflict('intercom.running')
      const line = mode === 'audioRoom' ? { mode, destinationAccount } : { ...firstLine, mode }
      if (line.destinationAccount !== '' && !(await isOpenRoom(unit, line.destinationAccount)))
        throw Conflict.at('destinationAccount', 'intercom.roomExternal')
      const lines = settingsOf(caller.scope, unitId).intercoms ?? []
      const intercoms = lines.map((now, at) => (at + 1 === intercom ? line : now))
      return await transmissions.configure(caller, unitId, { intercoms })
    },
    async setJacks(caller, unitId, jacks) {
      const unit = units.get(caller.scope, unitId)
      await openLine(caller.scope, unit, 1)
      const now = settingsOf(caller.scope, unitId).audioJacks ?? []
      const unknown = jacks.findIndex(({ jack }) => !now.some((one) => one.jack === jack))
      if (unknown >= 0) throw Conflict.at(`jacks.${unknown}.jack`, 'intercom.noJack')
      const audioJacks = now.map((one) => jacks.find(({ jack }) => jack === one.jack) ?? one)
      return await transmissions.configure(caller, unitId, { audioJacks })
    },
    async start(caller, unitId, intercom) {
      const unit = units.get(caller.scope, unitId)
      const line = await openLine(caller.scope, unit, intercom)
      if (unit.offline) throw new Conflict('unit.offline')
      const id = `ic-${randomBytes(12).toString('base64url')}`
      const key = randomBytes(32).toString('base64')
      const session = { id, intercom, key, ...(await destinationOf(caller, unit, line)) }
      const { roomId, serverId } = session
      return await command(
        caller,
        unitId,
        { name: startOf[intercom], intercomId: id },
        async (transaction) => [await places.admit(transaction, serverId, { id, roomId, unitId, key })],
        (now) => {
          if (now.some((one) => one.intercom === intercom)) throw new Conflict('intercom.running')
          return [...now, session]
        },
      )
    },
    async stop(caller, unitId, intercom) {
      units.get(caller.scope, unitId)
      const session = sessionOf(unitId, intercom)
      if (!session) throw new Conflict('intercom.notRunning')
      return await command(
        caller,
        unitId,
        { name: stopOf[intercom], intercomId: session.id },
        (transaction) => places.release(transaction, [session]),
        (now) => now.filter(({ id }) => id !== session.id),
      )
    },
    sipAccount(scope, unitId) {
      units.get(scope, unitId)
      return accountOf(unitId)
    },
    async setSipAccount(scope, unitId, account) {
      units.get(scope, unitId)
      if (sessionsOf(unitId).length > 0) throw new Conflict('intercom.running')
      await devices.updateDetails(unitId, ({ sipAccount: _, ...now }) => ({
        ...now,
        ...(account && { sipAccount: account }),
      }))
      units.addEvent(unitId, 'settings', unitEvent('settings.intercom', {}))
    },
    async resume() {
      for (const { id } of devices.all('unit')) {
        // A version without sound stored sessions without a server.
        await withdraw(id, wordingOf('audioRoom.noServer'), ({ serverId }) => serverId === undefined)
        loss.watch(id)
      }
      for (const { id } of devices.all('server')) serverLoss.watch(id)
      await releaseLeft()
    },
    close() {
      loss.close()
      serverLoss.close()
    },
  }
}
