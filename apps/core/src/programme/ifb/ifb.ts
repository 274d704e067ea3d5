// IFB: the crew of a unit hears the sound of its channel, and the speech in the audio rooms of that.
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '@backhaul/contract/define/errors'
import type { ServerWanted, WantedIfbListener } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedIfb } from '@backhaul/contract/gateway/units'
import { gate } from '@backhaul/contract/nouns/gates'
import { firstUnitIfb, type UnitIfb } from '@backhaul/contract/nouns/interfaces'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Services } from '../../usage/services/services.ts'
import type { Events } from '../../world/events.ts'
import type { AudioRooms } from '../audio-rooms/audio-rooms.ts'
import type { Interfaces } from '../interfaces/interfaces.ts'

export interface UnitIfbs {
  /** Throws NotFound for a unit outside the caller's scope. */
  settings(scope: Scope, unitId: string): UnitIfb
  /** Throws Conflict for a unit without a speaker for it. */
  change(caller: Caller, unitId: string, change: Partial<UnitIfb>): Promise<UnitIfb>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  units: Units
  accessApprovals: AccessApprovals
  services: Services
  interfaces: Interfaces
  audioRooms: AudioRooms
}

/** A service ends without an event. */
const checkPeriodMs = 60_000

type Heard = Omit<WantedIfb, 'id' | 'key'>
interface Meant {
  readonly heard: Heard
  readonly at: Pick<WantedIfbListener, 'interfaceId' | 'roomIds'>
}

export function createIfb(needs: Needs): UnitIfbs {
  const { db, clock, log, events, devices, units, accessApprovals, services, interfaces, audioRooms } = needs
  /** By unit, so that of two changes at the same time the second sees the first. */
  const turns = new Map<string, Promise<void>>()
  let timer: Timer | undefined

  const settingsOf = (unitId: string): UnitIfb => devices.get(unitId)?.details.ifb ?? firstUnitIfb
  const wantedOf = (unitId: string) => devices.get(unitId)?.wanted as UnitWanted | undefined

  /** The channel whose sound the crew hears: the one that it is live on, or the selected one where it is always on. */
  function channelOf(unitId: string): string | undefined {
    const transmission = wantedOf(unitId)?.transmission
    if (transmission && transmission.speedTestMs === undefined) return transmission.channelId
    return settingsOf(unitId).alwaysOn ? (units.values(unitId)?.channelId ?? undefined) : undefined
  }

  /** Undefined where the unit hears none now. */
  async function meant(unitId: string): Promise<Meant | undefined> {
    const unit = units.values(unitId)
    const channelId = channelOf(unitId)
    if (unit?.capabilities.ifb !== true || channelId === undefined) return undefined
    const { inventoryId } = unit
    const found = interfaces.ifbOf(inventoryId, channelId)
    if (!found || gate('ifb', { services: await services.inForce([inventoryId]) }) !== undefined)
      return undefined
    const targets = audioRooms.connect.targets(found.serverId)
    if (targets.length === 0) return undefined
    const roomIds = await audioRooms.ofIfb(inventoryId, found.id)
    return {
      heard: { channelId, serverId: found.serverId, targets, delayMs: settingsOf(unitId).delay },
      at: { interfaceId: found.own, roomIds },
    }
  }

  const atServer = (transaction: DatabaseTransaction, serverId: string, next: IfbChange) =>
    devices.changeWanted<ServerWanted>(transaction, serverId, (wanted) => ({
      ...wanted,
      ifbs: next(wanted.ifbs ?? []),
    }))

  async function write(unitId: string, now: WantedIfb | undefined, next: Meant | undefined): Promise<void> {
    const isSame = now !== undefined && next?.heard.serverId === now.serverId
    const [id, key] = isSame
      ? [now.id, now.key]
      : [`ifb-${randomBytes(12).toString('base64url')}`, randomBytes(32).toString('base64')]
    const changes = await db.transaction().execute(async (transaction): Promise<WantedChange[]> => {
      const written: WantedChange[] = []
      const serverIds = new Set([now?.serverId, next?.heard.serverId].filter((one) => one !== undefined))
      // In one order, so that two changes cannot wait for each other.
      for (const serverId of [...serverIds].sort()) {
        if (!devices.get(serverId)) continue
        const others: IfbChange = (all) => all.filter((one) => one.unitId !== unitId)
        const added = next?.heard.serverId === serverId ? [{ id, unitId, key, ...next.at }] : []
        written.push(await atServer(transaction, serverId, (all) => others(all).concat(added)))
      }
      written.push(
        await devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
          ...wanted,
          ifb: next ? { id, key, ...next.heard } : null,
        })),
      )
      return written
    })
    devices.adopt(changes)
    units.wantedChanged(unitId)
  }

  /** The IFB that the server admits for the unit now. */
  const admitted = (unitId: string, serverId: string) =>
    (devices.get(serverId)?.wanted as ServerWanted | undefined)?.ifbs?.find((one) => one.unitId === unitId)

  async function follow(unitId: string): Promise<void> {
    const now = wantedOf(unitId)?.ifb ?? undefined
    const next = await meant(unitId)
    if (now === undefined && next === undefined) return
    if (now && next) {
      const { id: _, key: __, ...heard } = now
      const entry = admitted(unitId, now.serverId)
      const at = entry && { interfaceId: entry.interfaceId, roomIds: entry.roomIds }
      if (isDeepStrictEqual(heard, next.heard) && isDeepStrictEqual(at, next.at)) return
    }
    if (devices.get(unitId)) await write(unitId, now, next)
  }

  function followSoon(unitId: string): void {
    if (units.kept(unitId)?.capabilities.ifb !== true && !wantedOf(unitId)?.ifb) return
    const turn = (turns.get(unitId) ?? Promise.resolve())
      .then(() => follow(unitId))
      .catch((error) => log.error({ err: error, unitId }, 'IFB of the unit not stored'))
    turns.set(unitId, turn)
    void turn.then(() => turns.get(unitId) === turn && turns.delete(unitId))
  }

  function followAll(): void {
    for (const { id } of devices.all('unit')) followSoon(id)
  }

  /** Servers that admit a unit which was removed. */
  async function releaseLeft(): Promise<void> {
    for (const { id, wanted } of devices.all('server')) {
      const isLeft = ({ unitId }: WantedIfbListener) => devices.get(unitId) === undefined
      if (!((wanted as ServerWanted).ifbs ?? []).some(isLeft)) continue
      const change = await db
        .transaction()
        .execute((transaction) => atServer(transaction, id, (all) => all.filter((one) => !isLeft(one))))
      devices.adopt([change])
    }
  }

  events.on('deviceRemoved', ({ deviceId }) => {
    void releaseLeft().catch((error) =>
      log.error({ err: error, deviceId }, 'IFB of the removed unit not released'),
    )
  })
  events.on('deviceMoved', ({ deviceId }) => followSoon(deviceId))
  events.on('unitChanged', ({ unitId }) => followSoon(unitId))
  events.on('transmissionChanged', ({ unitId }) => followSoon(unitId))
  events.on('ifbsChanged', followAll)
  events.on('device:serverReport', ({ message: { actual } }) => {
    if (actual.interfaces ?? actual.addresses ?? actual.speechPort) followAll()
  })
  events.on('deviceConnected', ({ kind }) => kind === 'server' && followAll())

  return {
    settings(scope, unitId) {
      units.get(scope, unitId)
      return settingsOf(unitId)
    },
    async change(caller, unitId, change) {
      const { capabilities } = units.get(caller.scope, unitId)
      if (capabilities.ifb !== true) throw new Conflict('ifb.notBuiltIn')
      await db.transaction().execute((transaction) => accessApprovals.noteAct(transaction, caller, unitId))
      await devices.updateDetails(unitId, (now) => ({
        ...now,
        ifb: { ...(now.ifb ?? firstUnitIfb), ...change },
      }))
      followSoon(unitId)
      await turns.get(unitId)
      return settingsOf(unitId)
    },
    async start() {
      await releaseLeft()
      followAll()
      await Promise.all(turns.values())
      timer = clock.setInterval(followAll, checkPeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await Promise.all(turns.values())
    },
  }
}

type IfbChange = (now: readonly WantedIfbListener[]) => WantedIfbListener[]
