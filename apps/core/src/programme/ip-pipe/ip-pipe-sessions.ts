// IP pipes that are connected: a change of the wanted state of the server and of the unit, and what ends them.
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '@backhaul/contract/define/errors'
import { because, type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { AdmittedIpPipe, ServerWanted } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedIpPipe } from '@backhaul/contract/gateway/units'
import type { IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { ipPipeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Events } from '../../events.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { IpPipes } from './ip-pipe.ts'

export interface IpPipeSessions {
  /** Both answer the id under which the command is followed. */
  connect(caller: Caller, unitId: string): Promise<string>
  disconnect(caller: Caller, unitId: string): Promise<string>
  /** The server was configured: pipes that do not fit any more end. */
  configured(serverId: string): Promise<void>
  /** Ends what a unit or a server that was removed has left. */
  resume(): Promise<void>
  close(): void
}

interface Needs {
  db: Database
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  transmissions: Transmissions
}

/** The pipe of a unit that is disconnected for longer ends. */
const lostAfterMs = 60_000

export function createIpPipeSessions(needs: Needs, pipes: IpPipes): IpPipeSessions {
  const { db, log, events, devices, servers, channels, units, accessApprovals } = needs
  const { commands } = needs.transmissions

  const of = (unitId: string): WantedIpPipe | undefined =>
    (devices.get(unitId)?.wanted as UnitWanted | undefined)?.ipPipe ?? undefined
  const admittedBy = (serverId: string): readonly AdmittedIpPipe[] =>
    (devices.get(serverId)?.wanted as ServerWanted | undefined)?.ipPipes ?? []

  const targetsOf = (serverId: string, port: number): WantedIpPipe['targets'] =>
    servers.addresses(serverId).map((host) => ({ host, port }))

  const atServer = (
    transaction: DatabaseTransaction,
    serverId: string,
    next: (now: readonly AdmittedIpPipe[]) => AdmittedIpPipe[],
  ) =>
    devices.changeWanted<ServerWanted>(transaction, serverId, (wanted) => ({
      ...wanted,
      ipPipes: next(wanted.ipPipes ?? []),
    }))

  const atUnit = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (now: WantedIpPipe | undefined) => WantedIpPipe | null,
  ) =>
    devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
      ...wanted,
      ipPipe: next(wanted.ipPipe ?? undefined),
    }))

  async function write(
    transaction: DatabaseTransaction,
    caller: Caller,
    { deviceId: uid, revision }: WantedChange,
    name: 'connect_ip_pipe' | 'disconnect_ip_pipe',
    ipPipeId: string,
  ) {
    await accessApprovals.noteAct(transaction, caller, uid)
    return await commands.write(transaction, {
      uid,
      name,
      by: caller.username,
      args: { revision, ipPipeId },
    })
  }

  function adopt(unitId: string, changes: readonly WantedChange[]): void {
    devices.adopt(changes)
    units.wantedChanged(unitId)
  }

  /** The settings that hold now: the server and the channel may be gone, or of another customer, since they were set. */
  function settingsOf(unitId: string, inventoryId: string): IpPipeSettings | null {
    const settings = pipes.settings(unitId)
    if (!settings || devices.get(settings.serverId)?.inventoryId !== inventoryId) return null
    return channels.serverOf(settings.channel) === settings.serverId ? settings : null
  }

  async function connect(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    const settings = settingsOf(unitId, unit.inventoryId)
    const refusal = ipPipeRefusal(unit, settings)
    if (!settings || refusal !== undefined) throw new Conflict(refusal ?? 'ipPipe.noServer')
    const { serverId, channel, port } = settings
    const network = pipes.network(settings)
    const id = `ip-${randomBytes(12).toString('base64url')}`
    const key = randomBytes(32).toString('base64')
    const done = await db.transaction().execute(async (transaction) => {
      const admitted = await atServer(transaction, serverId, (now) => {
        if (now.some((one) => one.channel === channel))
          throw new Conflict(because('ipPipe.channelTaken', { channel: channels.known(channel)?.name ?? '' }))
        return [...now, { id, unitId, channel, key, interface: network }]
      })
      const unitChange = await atUnit(transaction, unitId, (now) => {
        if (now) throw new Conflict('ipPipe.running')
        return { id, serverId, channel, key, targets: targetsOf(serverId, port) }
      })
      const command = await write(transaction, caller, unitChange, 'connect_ip_pipe', id)
      return { changes: [admitted, unitChange], command }
    })
    adopt(unitId, done.changes)
    commands.open(done.command)
    return done.command.id
  }

  /** At the server, where it still exists, and then at the unit: in the order of a connect. */
  async function end(
    transaction: DatabaseTransaction,
    unitId: string,
    { id, serverId }: WantedIpPipe,
  ): Promise<{ released: WantedChange[]; unitChange: WantedChange }> {
    const released = devices.get(serverId)
      ? [await atServer(transaction, serverId, (now) => now.filter((one) => one.id !== id))]
      : []
    const unitChange = await atUnit(transaction, unitId, (now) => (now?.id === id ? null : (now ?? null)))
    return { released, unitChange }
  }

  async function disconnect(caller: Caller, unitId: string): Promise<string> {
    units.get(caller.scope, unitId)
    const one = of(unitId)
    if (!one) throw new Conflict('ipPipe.notRunning')
    const done = await db.transaction().execute(async (transaction) => {
      const { released, unitChange } = await end(transaction, unitId, one)
      const command = await write(transaction, caller, unitChange, 'disconnect_ip_pipe', one.id)
      return { changes: [...released, unitChange], command }
    })
    adopt(unitId, done.changes)
    commands.open(done.command)
    return done.command.id
  }

  /** Without a request of a user. */
  async function withdraw(unitId: string, id: string, why: Wording): Promise<void> {
    const one = of(unitId)
    if (one?.id !== id) return
    const { released, unitChange } = await db
      .transaction()
      .execute((transaction) => end(transaction, unitId, one))
    adopt(unitId, [...released, unitChange])
    units.addEvent(unitId, 'status', unitEvent('ipPipe.ended', {}, why), 'warning')
  }

  function withdrawSoon(unitId: string, why: Wording): void {
    const one = of(unitId)
    if (!one) return
    void withdraw(unitId, one.id, why).catch((error) =>
      log.error({ err: error, unitId }, 'withdrawal of the IP pipe not stored'),
    )
  }

  async function configured(serverId: string): Promise<void> {
    const { enabled, interface: usual } = pipes.known(serverId)
    for (const { id, unitId, interface: network } of admittedBy(serverId)) {
      const chosen = pipes.settings(unitId)?.interface || usual
      if (!enabled || chosen !== network) await withdraw(unitId, id, wordingOf('ipPipe.disabled'))
    }
  }

  /** Servers that admit a unit which was removed. */
  async function releaseLeft(): Promise<void> {
    for (const { id } of devices.all('server')) {
      const isLeft = ({ id: session, unitId }: AdmittedIpPipe) => of(unitId)?.id !== session
      if (!admittedBy(id).some(isLeft)) continue
      const change = await db
        .transaction()
        .execute((transaction) => atServer(transaction, id, (now) => now.filter((one) => !isLeft(one))))
      devices.adopt([change])
    }
  }

  /** A server that has started again may have other addresses. */
  async function followServer(serverId: string): Promise<void> {
    for (const { unitId, id } of admittedBy(serverId)) {
      const port = of(unitId)?.targets[0]?.port
      const targets = port === undefined ? [] : targetsOf(serverId, port)
      if (targets.length === 0 || isDeepStrictEqual(of(unitId)?.targets, targets)) continue
      const change = await db
        .transaction()
        .execute((transaction) =>
          atUnit(transaction, unitId, (now) => (now?.id === id ? { ...now, targets } : (now ?? null))),
        )
      adopt(unitId, [change])
    }
  }

  const loss = devices.watchForLoss(lostAfterMs, {
    isMeant: (unitId) => of(unitId) !== undefined,
    onLost: (unitId) => withdrawSoon(unitId, wordingOf('unit.lost')),
  })

  events.on('commandFailed', ({ command }) => {
    const { uid, name, args } = command
    if (name !== 'connect_ip_pipe' || args.ipPipeId !== of(uid)?.id) return
    // One that the unit reports as failed stays: it goes on calling until it is disconnected.
    if (units.values(uid)?.ipPipe.state === 'failed') return
    withdrawSoon(uid, wordingOfFields(command, 'command.timedOut'))
  })
  events.on('deviceMoved', ({ deviceId, kind }) => {
    if (kind === 'unit') withdrawSoon(deviceId, wordingOf('unit.lost'))
    for (const { unitId } of admittedBy(deviceId)) withdrawSoon(unitId, wordingOf('ipPipe.disabled'))
  })
  events.on('deviceRemoved', ({ deviceId, kind }) => {
    if (kind === 'server') {
      for (const { id } of devices.all('unit'))
        if (of(id)?.serverId === deviceId) withdrawSoon(id, wordingOf('ipPipe.serverOffline'))
      return
    }
    releaseLeft().catch((error) =>
      log.error({ err: error, deviceId }, 'IP pipe of the removed unit not released'),
    )
  })
  events.on('device:serverReport', ({ deviceId, message: { actual } }) => {
    if (actual.addresses === undefined) return
    followServer(deviceId).catch((error) =>
      log.error({ err: error, deviceId }, 'new address of the server not sent to its units'),
    )
  })

  return { connect, disconnect, configured, resume: releaseLeft, close: loss.close }
}
