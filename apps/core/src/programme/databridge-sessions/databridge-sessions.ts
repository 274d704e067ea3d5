// Databridge: the network of a gateway for a crew, as a change of the wanted state of the gateway and of the unit.
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '@backhaul/contract/define/errors'
import { type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { AdmittedDatabridge, ServerWanted } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedDatabridge } from '@backhaul/contract/gateway/units'
import { gate } from '@backhaul/contract/nouns/gates'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { databridgeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Events } from '../../events.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Databridge } from '../../fleet/databridge/databridge.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'

export interface DatabridgeSessions {
  /** Both answer the id under which the command is followed. */
  start(caller: Caller, unitId: string): Promise<string>
  stop(caller: Caller, unitId: string): Promise<string>
  /** Ends what a unit or a gateway that was removed has left. */
  resume(): Promise<void>
  close(): void
}

interface Needs {
  db: Database
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  units: Units
  accessApprovals: AccessApprovals
  databridge: Databridge
  transmissions: Transmissions
}

/** A databridge of a unit that is disconnected for longer ends. */
const lostAfterMs = 60_000

export function createDatabridgeSessions(needs: Needs): DatabridgeSessions {
  const { db, log, events, devices, servers, units, accessApprovals, databridge } = needs
  const { commands } = needs.transmissions

  const of = (unitId: string): WantedDatabridge | undefined =>
    (devices.get(unitId)?.wanted as UnitWanted | undefined)?.databridge ?? undefined

  /** Where units reach the gateway now; nowhere while its port is not open. */
  function targetsOf(gatewayId: string): WantedDatabridge['targets'] {
    const port = servers.memory(gatewayId)?.actual.databridgePort
    if (!port || !servers.isOnline(gatewayId)) return []
    return servers.addresses(gatewayId).map((host) => ({ host, port }))
  }

  const atGateway = (
    transaction: DatabaseTransaction,
    gatewayId: string,
    next: (now: readonly AdmittedDatabridge[]) => AdmittedDatabridge[],
  ) =>
    devices.changeWanted<ServerWanted>(transaction, gatewayId, (wanted) => ({
      ...wanted,
      databridges: next(wanted.databridges ?? []),
    }))

  const atUnit = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (now: WantedDatabridge | undefined) => WantedDatabridge | null,
  ) =>
    devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
      ...wanted,
      databridge: next(wanted.databridge ?? undefined),
    }))

  async function write(
    transaction: DatabaseTransaction,
    caller: Caller,
    { deviceId: uid, revision }: WantedChange,
    name: 'start_databridge' | 'stop_databridge',
    databridgeId: string,
  ) {
    await accessApprovals.noteAct(transaction, caller, uid)
    return await commands.write(transaction, {
      uid,
      name,
      by: caller.username,
      args: { revision, databridgeId },
    })
  }

  function adopt(unitId: string, changes: readonly WantedChange[]): void {
    devices.adopt(changes)
    units.wantedChanged(unitId)
  }

  async function start(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    if (of(unitId)) throw new Conflict('databridge.running')
    const gateway = databridge.selected(caller.scope, unitId)
    const ports = databridge.ports(caller.scope, unitId)
    const refusal = databridgeRefusal(unit, { gateway, ports })
    if (!gateway || refusal !== undefined) throw new Conflict(refusal ?? 'databridge.noGateway')
    const targets = targetsOf(gateway.id)
    if (targets.length === 0) throw new Conflict('databridge.gatewayOffline')
    const id = `db-${randomBytes(12).toString('base64url')}`
    const key = randomBytes(32).toString('base64')
    const done = await db.transaction().execute(async (transaction) => {
      const places = ports.map(({ protocol, host, hostPort }) => ({ protocol, host, hostPort }))
      const admitted = await atGateway(transaction, gateway.id, (now) => [
        ...now,
        { id, unitId, key, ports: places },
      ])
      const unitChange = await atUnit(transaction, unitId, (now) => {
        if (now) throw new Conflict('databridge.running')
        const opened = ports.map(({ protocol, port }) => ({ protocol, port }))
        return { id, gatewayId: gateway.id, key, targets, ports: opened }
      })
      const command = await write(transaction, caller, unitChange, 'start_databridge', id)
      return { changes: [admitted, unitChange], command }
    })
    adopt(unitId, done.changes)
    commands.open(done.command)
    return done.command.id
  }

  /** At the gateway, where it still exists, and then at the unit: in the order of a start. */
  async function end(
    transaction: DatabaseTransaction,
    unitId: string,
    { id, gatewayId }: WantedDatabridge,
  ): Promise<{ released: WantedChange[]; unitChange: WantedChange }> {
    const released = devices.get(gatewayId)
      ? [await atGateway(transaction, gatewayId, (now) => now.filter((one) => one.id !== id))]
      : []
    const unitChange = await atUnit(transaction, unitId, (now) => (now?.id === id ? null : (now ?? null)))
    return { released, unitChange }
  }

  async function stop(caller: Caller, unitId: string): Promise<string> {
    units.get(caller.scope, unitId)
    const one = of(unitId)
    if (!one) throw new Conflict('databridge.notRunning')
    const done = await db.transaction().execute(async (transaction) => {
      const { released, unitChange } = await end(transaction, unitId, one)
      const command = await write(transaction, caller, unitChange, 'stop_databridge', one.id)
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
    units.addEvent(unitId, 'status', unitEvent('databridge.ended', {}, why), 'warning')
  }

  function withdrawSoon(unitId: string, why: Wording): void {
    const one = of(unitId)
    if (!one) return
    void withdraw(unitId, one.id, why).catch((error) =>
      log.error({ err: error, unitId }, 'withdrawal of the databridge not stored'),
    )
  }

  /** Gateways that admit a unit which was removed. */
  async function releaseLeft(): Promise<void> {
    for (const { id, wanted } of devices.all('server')) {
      const isLeft = ({ id: session, unitId }: AdmittedDatabridge) => of(unitId)?.id !== session
      if (!((wanted as ServerWanted).databridges ?? []).some(isLeft)) continue
      const change = await db
        .transaction()
        .execute((transaction) => atGateway(transaction, id, (now) => now.filter((one) => !isLeft(one))))
      devices.adopt([change])
    }
  }

  /** A gateway that has started again may have another port or address. */
  async function followGateway(gatewayId: string): Promise<void> {
    const targets = targetsOf(gatewayId)
    if (targets.length === 0) return
    for (const { id: unitId } of devices.all('unit')) {
      const one = of(unitId)
      if (one?.gatewayId !== gatewayId || isDeepStrictEqual(one.targets, targets)) continue
      const change = await db.transaction().execute((transaction) =>
        atUnit(transaction, unitId, (now) => {
          if (!now) return null
          return now.id === one.id ? { ...now, targets } : now
        }),
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
    if (name !== 'start_databridge' || args.databridgeId !== of(uid)?.id) return
    withdrawSoon(uid, wordingOfFields(command, 'command.timedOut'))
  })
  events.on('unitChanged', ({ unitId }) => {
    const unit = of(unitId) && units.values(unitId)
    const closed = unit && gate('databridge', { unit })
    if (closed !== undefined) withdrawSoon(unitId, wordingOf(closed))
  })
  events.on('deviceMoved', ({ deviceId }) => withdrawSoon(deviceId, wordingOf('unit.lost')))
  events.on('deviceRemoved', ({ deviceId, kind }) => {
    if (kind === 'server') {
      for (const { id } of devices.all('unit'))
        if (of(id)?.gatewayId === deviceId) withdrawSoon(id, wordingOf('databridge.gatewayOffline'))
      return
    }
    releaseLeft().catch((error) =>
      log.error({ err: error, deviceId }, 'databridge of the removed unit not released'),
    )
  })
  events.on('device:serverReport', ({ deviceId, message: { actual } }) => {
    if (actual.databridgePort === undefined && actual.addresses === undefined) return
    followGateway(deviceId).catch((error) =>
      log.error({ err: error, deviceId }, 'new address of the gateway not sent to its units'),
    )
  })

  return { start, stop, resume: releaseLeft, close: loss.close }
}
