// Logs of devices: requested by users, sent by the device in parts, stored here for administrators.
import { randomBytes } from 'node:crypto'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { LogPart } from '@backhaul/contract/gateway/gateway'
import {
  type DeviceLog,
  LOG_BYTES_MAX,
  type LogState,
  logRefusal,
} from '@backhaul/contract/nouns/device-logs'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { createWrites } from '../../database/writes.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'
import {
  addPart,
  endLog,
  failRunning,
  findLog,
  insertLog,
  logsOfChannel,
  logsOfUnit,
  textOf,
} from './device-log-table.ts'

/** Contractors and partners need the customer's approval of the device that sends: all but `start` and `stop` throw NotAllowed. */
export interface DeviceLogs {
  /** Answers the command's id; throws Conflict when the unit, or the server of an included channel, cannot now. */
  sendOfUnit(
    caller: Caller,
    unitId: string,
    request: { description: string; includeChannel: boolean },
  ): Promise<string>
  stopOfUnit(caller: Caller, unitId: string): Promise<string>
  sendOfChannel(caller: Caller, channelId: string, description: string): Promise<void>
  stopOfChannel(caller: Caller, channelId: string): Promise<void>
  ofUnit(caller: Caller, unitId: string): Promise<DeviceLog[]>
  /** Throws NotFound for a channel outside the caller's scope. */
  ofChannel(caller: Caller, channelId: string): Promise<DeviceLog[]>
  text(caller: Caller, logId: string): Promise<{ fileName: string; text: string }>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  transmissions: Transmissions
  accessApprovals: AccessApprovals
}

interface Running {
  id: string
  unitId: string | null
  channelId: string | null
  /** The unit, or the server of the channel. */
  deviceId: string
  letters: number
  /** The id under which the device was sent the order; '' until then. */
  orderId: string
  silence: Timer
}

/** A log without a message for this long has failed. */
const silentAfterMs = 30_000
const orderLastsMs = 20_000

export function createDeviceLogs(needs: Needs): DeviceLogs {
  const { db, clock, log, events, devices, servers, channels, units, transmissions, accessApprovals } = needs
  const running = new Map<string, Running>()
  const writes = createWrites(log)

  const find = (matches: (one: Running) => boolean) => [...running.values()].find(matches)

  const write = (job: () => Promise<void>, logId: string) =>
    void writes.add(job, 'part of the device log not stored', { logId })

  function end(one: Running, state: LogState): void {
    clock.clearTimeout(one.silence)
    running.delete(one.id)
    write(() => endLog(db, one.id, state), one.id)
  }

  const listen = (logId: string) =>
    clock.setTimeout(() => {
      const one = running.get(logId)
      if (one) end(one, 'failed')
    }, silentAfterMs)

  async function begin(
    { unitId, channelId, deviceId }: Pick<Running, 'unitId' | 'channelId' | 'deviceId'>,
    request: { name: string; description: string; by: string },
  ): Promise<string> {
    const id = `lo-${randomBytes(9).toString('base64url')}`
    running.set(id, { id, unitId, channelId, deviceId, letters: 0, orderId: '', silence: listen(id) })
    await insertLog(db, {
      id,
      unit_id: unitId,
      channel_id: channelId,
      device_id: deviceId,
      name: request.name,
      description: request.description,
      requested_by: request.by,
      started_ms: clock.nowMs(),
      state: 'running',
      bytes: 0,
    })
    return id
  }

  const serverOf = (channelId: string | null) =>
    channelId === null ? undefined : channels.serverOf(channelId)

  async function requireAccess(caller: Caller, deviceId: string | undefined): Promise<void> {
    if (deviceId !== undefined) await accessApprovals.require(caller, deviceId)
  }

  /** The server that would send the logs of the channel; throws Conflict when it cannot now (ER-UNIT-01 to -03). */
  function requireServer(channelId: string | null): string {
    const serverId = serverOf(channelId)
    if (serverId === undefined) throw new Conflict('deviceLog.channelCannot')
    if (!servers.isOnline(serverId)) throw new Conflict('channel.busyOrOffline')
    if (servers.memory(serverId)?.actual.capabilities?.logs !== true)
      throw new Conflict('deviceLog.channelCannot')
    const other = find(({ deviceId }) => deviceId === serverId)
    if (other)
      throw new Conflict(other.channelId === channelId ? 'deviceLog.running' : 'deviceLog.serverBusy')
    return serverId
  }

  async function beginChannel(
    caller: Caller,
    channelId: string,
    serverId: string,
    unitId: string | null,
    description: string,
  ): Promise<void> {
    const name = channels.known(channelId)?.name ?? channelId
    const request = { name, description, by: caller.username }
    const logId = await begin({ unitId, channelId, deviceId: serverId }, request)
    orderServer(serverId, 'send_logs', { logId, channelId })
    await accessApprovals.noteAct(db, caller, serverId)
  }

  function ordered(logId: string, orderId: string): void {
    const one = running.get(logId)
    if (one) one.orderId = orderId
  }

  function orderServer(
    serverId: string,
    name: 'send_logs' | 'stop_logs',
    args: { logId: string; channelId?: string },
  ): void {
    const id = `${args.logId} ${name}`
    if (name === 'send_logs') ordered(args.logId, id)
    devices.order(serverId, { id, name, args, deadlineMs: clock.nowMs() + orderLastsMs })
  }

  function stopChannel(one: Running): void {
    orderServer(one.deviceId, 'stop_logs', { logId: one.id })
    end(one, 'stopped')
  }

  function take(deviceId: string, { logId, at, text, isLast }: LogPart): void {
    const one = running.get(logId)
    if (one?.deviceId !== deviceId) return
    one.letters += text.length
    if (one.letters > LOG_BYTES_MAX) {
      end(one, 'failed')
      return
    }
    clock.clearTimeout(one.silence)
    one.silence = listen(logId)
    write(() => addPart(db, logId, at, text), logId)
    if (isLast) end(one, 'complete')
  }

  events.on('device:logPart', ({ deviceId, message }) => take(deviceId, message))
  events.on('device:outcome', ({ deviceId, message }) => {
    if (message.state !== 'refused') return
    const refused = find((one) => one.deviceId === deviceId && one.orderId === message.id)
    if (refused) end(refused, 'failed')
  })
  events.on('deviceDisconnected', ({ deviceId }) => {
    for (const one of [...running.values()]) if (one.deviceId === deviceId) end(one, 'failed')
  })

  return {
    async sendOfUnit(caller, unitId, { description, includeChannel }) {
      const unit = units.get(caller.scope, unitId)
      await requireAccess(caller, unitId)
      if (includeChannel) await requireAccess(caller, serverOf(unit.channelId))
      const refusal = logRefusal(unit)
      if (refusal !== undefined) throw new Conflict(refusal)
      if (find((one) => one.deviceId === unitId)) throw new Conflict('deviceLog.running')
      const serverId = includeChannel ? requireServer(unit.channelId) : undefined
      const logId = await begin(
        { unitId, channelId: null, deviceId: unitId },
        { name: unit.name, description, by: caller.username },
      )
      if (serverId !== undefined)
        await beginChannel(caller, unit.channelId ?? '', serverId, unitId, description)
      const commandId = await transmissions.order(caller, unitId, 'send_logs', { args: { logId } })
      ordered(logId, commandId)
      return commandId
    },
    async stopOfUnit(caller, unitId) {
      units.get(caller.scope, unitId)
      await requireAccess(caller, unitId)
      const own = find((one) => one.deviceId === unitId)
      if (!own) throw new Conflict('deviceLog.notRunning')
      for (const one of [...running.values()]) if (one.unitId === unitId && one !== own) stopChannel(one)
      end(own, 'stopped')
      return await transmissions.order(caller, unitId, 'stop_logs', { args: { logId: own.id } })
    },
    async sendOfChannel(caller, channelId, description) {
      channels.get(caller.scope, channelId)
      await requireAccess(caller, serverOf(channelId))
      await beginChannel(caller, channelId, requireServer(channelId), null, description)
    },
    async stopOfChannel(caller, channelId) {
      channels.get(caller.scope, channelId)
      await requireAccess(caller, serverOf(channelId))
      const one = find((known) => known.channelId === channelId)
      if (!one) throw new Conflict('deviceLog.notRunning')
      stopChannel(one)
      await writes.stored()
    },
    async ofUnit(caller, unitId) {
      units.get(caller.scope, unitId)
      await requireAccess(caller, unitId)
      await writes.stored()
      return await logsOfUnit(db, unitId, units.sinceMs(unitId))
    },
    async ofChannel(caller, channelId) {
      channels.get(caller.scope, channelId)
      await requireAccess(caller, serverOf(channelId))
      await writes.stored()
      return await logsOfChannel(db, caller.scope, channelId)
    },
    async text(caller, logId) {
      await writes.stored()
      const known = await findLog(db, caller.scope, logId)
      if (!known || Number(known.started_ms) < units.sinceMs(known.unit_id ?? ''))
        throw new NotFound('deviceLog')
      await requireAccess(caller, known.device_id)
      const time = new Date(Number(known.started_ms)).toISOString().slice(0, 19).replaceAll(':', '-')
      return { fileName: `${known.name}-${time}.log`, text: await textOf(db, logId) }
    },
    start: () => failRunning(db),
    async stop() {
      for (const one of [...running.values()]) end(one, 'failed')
      await writes.stored()
    },
  }
}
