// Video return: the studio's picture sent to a unit, as a change of the wanted state of a server and of the unit.

import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import { because, type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { returnRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { SelectedVideoReturn } from '@backhaul/contract/nouns/video-return'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { Licences } from '../../usage/licences/licences.ts'
import type { Events } from '../../world/events.ts'
import { createReturnAdministration, type ReturnAdministration } from './return-administration.ts'
import { createReturnChannels, type ReturnChannels, requireOpen } from './return-channels.ts'
import * as table from './video-return-table.ts'

export interface VideoReturn {
  readonly channels: ReturnChannels
  readonly administration: ReturnAdministration
  /** Null selects none. Throws Conflict while a return runs. */
  select(caller: Caller, unitId: string, selected: SelectedVideoReturn | null): Promise<void>
  /** Both answer the id under which the command is followed. */
  start(caller: Caller, unitId: string): Promise<string>
  stop(caller: Caller, unitId: string): Promise<string>
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
  servers: Servers
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  transmissions: Transmissions
  licences: Licences
}

/** A unit that is disconnected for longer loses its channel. */
const lostAfterMs = 60_000

export function createVideoReturn(needs: Needs): VideoReturn {
  const { db, clock, log, events, devices, channels, units, accessApprovals, licences } = needs
  const { commands } = needs.transmissions
  const returnChannels = createReturnChannels(needs)
  const administration = createReturnAdministration({ ...needs, returnChannels })
  /** The sessions by unit: a unit shows one return at a time. */
  const running = new Map<string, table.OpenReturn>()

  async function write(
    transaction: DatabaseTransaction,
    caller: Caller,
    { deviceId: uid, revision }: WantedChange,
    name: 'start_video_return' | 'stop_video_return',
    videoReturnId: string,
  ) {
    await accessApprovals.noteAct(transaction, caller, uid)
    const args = { revision, videoReturnId }
    return await commands.write(transaction, { uid, name, by: caller.username, args })
  }

  const change = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (now: UnitWanted['videoReturn']) => UnitWanted['videoReturn'],
  ): Promise<WantedChange> =>
    devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
      ...wanted,
      videoReturn: next(wanted.videoReturn),
    }))

  function adopt(channelChange: ChannelChange | undefined, unitChange: WantedChange): void {
    channels.adopt([channelChange])
    devices.adopt([unitChange])
    units.wantedChanged(unitChange.deviceId)
  }

  async function start(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    if (running.has(unitId)) throw new Conflict('videoReturn.running')
    const selected = unit.selectedVideoReturn
    const channel = selected ? readable(caller, selected.channelId) : undefined
    const refusal = returnRefusal(unit, channel)
    if (!channel || refusal !== undefined) throw new Conflict(refusal ?? 'videoReturn.noVideo')
    const channelId = channel.uniqueId
    const targets = channels.targets(channelId)
    const server = channels.serverConfiguration(channel.serverId)
    if (targets.length === 0 || !server) throw new Conflict('channel.busyOrOffline')
    const { latencyMs, maxReturns } = server
    requireCapacity(channel.serverId, maxReturns)
    const one: table.OpenReturn = {
      id: `vr-${randomBytes(12).toString('base64url')}`,
      unitId,
      channelId,
      inventoryId: unit.inventoryId,
      startedMs: clock.nowMs(),
      startedBy: caller.username,
      liveMs: null,
    }
    const key = randomBytes(32).toString('base64')
    const session = { id: one.id, unitId, key, input: selected?.input ?? null }
    const done = await db.transaction().execute(async (transaction) => {
      const taken = await channels.takeForReturn(transaction, channelId, session)
      await licences.requireUsable(
        transaction,
        unit.inventoryId,
        'videoReturn',
        async (within) => (await table.countOpen(within, unit.inventoryId)) + 1,
      )
      const unitChange = await change(transaction, unitId, (now) => {
        if (now) throw new Conflict('videoReturn.running')
        return { id: one.id, channelId, key, targets, latencyMs }
      })
      await table.insertReturn(transaction, one)
      const command = await write(transaction, caller, unitChange, 'start_video_return', one.id)
      return { taken, unitChange, command }
    })
    running.set(unitId, one)
    adopt(done.taken, done.unitChange)
    commands.open(done.command)
    return done.command.id
  }

  function requireCapacity(serverId: string, maxReturns: number): void {
    const there = [...running.values()].filter(({ channelId }) => channels.serverOf(channelId) === serverId)
    if (there.length >= maxReturns)
      throw new Conflict(because('videoReturn.serverFull', { most: maxReturns }))
  }

  /** A channel outside the caller's scope counts as one of another customer. */
  function readable({ scope }: Caller, channelId: string) {
    return channels.find(scope, channelId) && returnChannels.get(scope, channelId)
  }

  async function end(
    transaction: DatabaseTransaction,
    { id, unitId, channelId }: table.OpenReturn,
    by: string | null,
    reason: string,
  ) {
    const freed = await channels.free(transaction, channelId, id)
    const unitChange = await change(transaction, unitId, (now) => (now?.id === id ? null : now))
    await table.endReturn(transaction, id, { atMs: clock.nowMs(), by, reason })
    return { freed, unitChange }
  }

  async function stop(caller: Caller, unitId: string): Promise<string> {
    units.get(caller.scope, unitId)
    const one = running.get(unitId)
    if (!one) throw new Conflict('videoReturn.notRunning')
    const done = await db.transaction().execute(async (transaction) => {
      const ended = await end(transaction, one, caller.username, 'stopped')
      const command = await write(transaction, caller, ended.unitChange, 'stop_video_return', one.id)
      return { ...ended, command }
    })
    running.delete(unitId)
    adopt(done.freed, done.unitChange)
    commands.open(done.command)
    return done.command.id
  }

  /** Without a request of a user. */
  async function withdraw(one: table.OpenReturn, why: Wording): Promise<void> {
    if (running.get(one.unitId)?.id !== one.id) return
    running.delete(one.unitId)
    const done = await db.transaction().execute((transaction) => end(transaction, one, null, why.message))
    adopt(done.freed, done.unitChange)
    units.addEvent(one.unitId, 'status', unitEvent('videoReturn.ended', {}, why), 'warning')
  }

  const withdrawSoon = (one: table.OpenReturn, why: Wording): void =>
    void withdraw(one, why).catch((error) =>
      log.error({ err: error, unitId: one.unitId }, 'withdrawal of the video return not stored'),
    )

  const loss = devices.watchForLoss(lostAfterMs, {
    isMeant: (unitId) => running.has(unitId),
    onLost: (unitId) => withdrawSoon(running.get(unitId) as table.OpenReturn, wordingOf('unit.lost')),
  })

  events.on('commandFailed', ({ command }) => {
    const { uid, name, args } = command
    const one = running.get(uid)
    if (name !== 'start_video_return' || !one || args.videoReturnId !== one.id) return
    withdrawSoon(one, wordingOfFields(command, 'command.timedOut'))
  })
  events.on('unitChanged', ({ unitId }) => {
    const one = running.get(unitId)
    if (!one || one.liveMs !== null) return
    const actual = units.memory(unitId)?.actual
    if (actual?.videoReturnId !== one.id || actual.applications?.videoReturn?.state !== 'collecting') return
    one.liveMs = clock.nowMs()
    table
      .saveLive(db, one.id, one.liveMs)
      .catch((error) => log.error({ err: error }, 'time of the first returned picture not stored'))
  })
  events.on('device:serverReport', ({ deviceId, message }) => {
    if (!(message.actual.ports || message.actual.addresses)) return
    followServer(deviceId).catch((error) =>
      log.error({ err: error, deviceId }, 'new address of the server not sent to its units'),
    )
  })

  /** A server that restarted, or got new settings, may offer its picture at another address, or with another delay. */
  async function followServer(serverId: string): Promise<void> {
    const { latencyMs } = channels.serverConfiguration(serverId) ?? {}
    for (const { unitId, channelId, id } of [...running.values()]) {
      if (channels.serverOf(channelId) !== serverId || latencyMs === undefined) continue
      const targets = channels.targets(channelId)
      const now = (devices.get(unitId)?.wanted as UnitWanted | undefined)?.videoReturn
      if (now?.id !== id || targets.length === 0) continue
      const terms = { targets, latencyMs }
      if (isDeepStrictEqual({ targets: now.targets, latencyMs: now.latencyMs }, terms)) continue
      const unitChange = await db
        .transaction()
        .execute((transaction) =>
          change(transaction, unitId, (held) => (held?.id === id ? { ...held, ...terms } : held)),
        )
      adopt(undefined, unitChange)
    }
  }

  return {
    channels: returnChannels,
    administration: {
      ...administration,
      async configure(scope, serverId, settings) {
        const configured = await administration.configure(scope, serverId, settings)
        await followServer(serverId)
        return configured
      },
    },
    start,
    stop,
    async select(caller, unitId, selected) {
      units.get(caller.scope, unitId)
      if (selected) {
        const settings = returnChannels.settings(caller.scope, selected.channelId)
        requireOpen(settings, selected.input)
        if (selected.input !== null && settings.feedSelectionMode !== 'custom')
          throw InvalidRequest.at('input', 'videoReturn.serverChooses')
      }
      if (running.has(unitId)) throw new Conflict('videoReturn.running')
      await devices.updateDetails(unitId, ({ videoReturn: _, ...now }) => ({
        ...now,
        ...(selected && { videoReturn: selected }),
      }))
    },
    async resume() {
      for (const one of await table.openReturns(db)) running.set(one.unitId, one)
    },
    close: loss.close,
  }
}
