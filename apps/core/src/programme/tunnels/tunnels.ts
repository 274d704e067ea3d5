// Networks between a crew and a studio, of each unit at most one of a kind: wanted of the unit, admitted by the server.
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '@backhaul/contract/define/errors'
import { type PlainCode, type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedDatabridge } from '@backhaul/contract/gateway/units'
import type { CommandName } from '@backhaul/contract/nouns/commands'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { dataFault } from '@backhaul/contract/nouns/unit-refusals'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../../transmission/transmissions/transmissions.ts'
import type { Events } from '../../world/events.ts'

type Targets = WantedDatabridge['targets']

interface WantedTunnel {
  readonly id: string
  readonly targets: Targets
}

interface AdmittedTunnel {
  readonly id: string
  readonly unitId: string
}

/** The differences between the kinds of tunnels. */
export interface TunnelKind<Wanted extends WantedTunnel, Admitted extends AdmittedTunnel> {
  /** The name in the log. */
  readonly name: string
  ofUnit(state: UnitWanted): Wanted | null | undefined
  atUnit(one: Wanted | null): Partial<UnitWanted>
  ofServer(state: ServerWanted): readonly Admitted[] | undefined
  atServer(all: Admitted[]): Partial<ServerWanted>
  serverOf(one: Wanted): string
  readonly begins: CommandName
  readonly ends: CommandName
  /** Under this name the commands keep its id. */
  readonly idName: 'databridgeId' | 'ipPipeId'
  readonly ended: 'databridge.ended' | 'ipPipe.ended'
  readonly refusals: { running: PlainCode; notRunning: PlainCode; serverGone: PlainCode }
  /** Whether an unconfirmed one is kept: its unit continues to call. */
  staysAfter(unitId: string): boolean
}

export interface Tunnels<Wanted, Admitted> {
  of(unitId: string): Wanted | undefined
  admittedBy(serverId: string): readonly Admitted[]
  /** Answers the id under which the command is followed. `admit` throws where the server cannot take one more. */
  begin(
    caller: Caller,
    unitId: string,
    at: { serverId: string; admit: (now: readonly Admitted[]) => Admitted; wanted: Wanted },
  ): Promise<string>
  /** The same for its end. */
  end(caller: Caller, unitId: string): Promise<string>
  /** Without a request of a user; not the one that began after it. */
  withdraw(unitId: string, id: string, why: Wording): Promise<void>
  withdrawSoon(unitId: string, why: Wording): void
  /** The server has started again, perhaps at other addresses; where it has none now, nothing is changed. */
  followSoon(serverId: string, targetsOf: (one: Wanted) => Targets): void
  /** Ends what a unit or a server that was removed has left. */
  resume(): Promise<void>
  close(): void
}

export interface TunnelNeeds {
  db: Database
  log: Log
  events: Events
  devices: Devices
  units: Units
  accessApprovals: AccessApprovals
  transmissions: Transmissions
}

interface Changed {
  readonly changes: readonly WantedChange[]
  readonly unitChange: WantedChange
}

/** The tunnel of a unit that is disconnected for longer ends. */
const lostAfterMs = 60_000

/** The id of a tunnel, and the key that its two ends alone know. */
export const newTunnel = (prefix: string) => ({
  id: `${prefix}-${randomBytes(12).toString('base64url')}`,
  key: randomBytes(32).toString('base64'),
})

export function createTunnels<Wanted extends WantedTunnel, Admitted extends AdmittedTunnel>(
  needs: TunnelNeeds,
  kind: TunnelKind<Wanted, Admitted>,
): Tunnels<Wanted, Admitted> {
  const { db, log, events, devices, units, accessApprovals } = needs
  const { commands } = needs.transmissions

  const of = (unitId: string): Wanted | undefined => {
    const wanted = devices.get(unitId)?.wanted as UnitWanted | undefined
    return (wanted && kind.ofUnit(wanted)) ?? undefined
  }
  const admittedBy = (serverId: string): readonly Admitted[] => {
    const wanted = devices.get(serverId)?.wanted as ServerWanted | undefined
    return (wanted && kind.ofServer(wanted)) ?? []
  }

  const atServer = (
    transaction: DatabaseTransaction,
    serverId: string,
    next: (now: readonly Admitted[]) => Admitted[],
  ) =>
    devices.changeWanted<ServerWanted>(transaction, serverId, (wanted) => ({
      ...wanted,
      ...kind.atServer(next(kind.ofServer(wanted) ?? [])),
    }))

  const atUnit = (
    transaction: DatabaseTransaction,
    unitId: string,
    next: (now: Wanted | undefined) => Wanted | null,
  ) =>
    devices.changeWanted<UnitWanted>(transaction, unitId, (wanted) => ({
      ...wanted,
      ...kind.atUnit(next(kind.ofUnit(wanted) ?? undefined)),
    }))

  function adopt(unitId: string, changes: readonly WantedChange[]): void {
    devices.adopt(changes)
    units.wantedChanged(unitId)
  }

  /** At the server, where it still exists, and then at the unit: in the order of the beginning. */
  async function release(transaction: DatabaseTransaction, unitId: string, one: Wanted): Promise<Changed> {
    const serverId = kind.serverOf(one)
    const released = devices.get(serverId)
      ? [await atServer(transaction, serverId, (now) => now.filter(({ id }) => id !== one.id))]
      : []
    const unitChange = await atUnit(transaction, unitId, (now) => (now?.id === one.id ? null : (now ?? null)))
    return { changes: [...released, unitChange], unitChange }
  }

  /** Stores a request of a user with its command, which is followed from then on. */
  async function commanded(
    caller: Caller,
    unitId: string,
    name: CommandName,
    tunnelId: string,
    change: (transaction: DatabaseTransaction) => Promise<Changed>,
  ): Promise<string> {
    const done = await db.transaction().execute(async (transaction) => {
      const { changes, unitChange } = await change(transaction)
      await accessApprovals.noteAct(transaction, caller, unitId)
      const args = { revision: unitChange.revision, [kind.idName]: tunnelId }
      const command = await commands.write(transaction, { uid: unitId, name, by: caller.username, args })
      return { changes, command }
    })
    adopt(unitId, done.changes)
    commands.open(done.command)
    return done.command.id
  }

  async function withdraw(unitId: string, id: string, why: Wording): Promise<void> {
    const one = of(unitId)
    if (one?.id !== id) return
    const { changes } = await db.transaction().execute((transaction) => release(transaction, unitId, one))
    adopt(unitId, changes)
    units.addEvent(unitId, 'status', unitEvent(kind.ended, {}, why), 'warning')
  }

  function withdrawSoon(unitId: string, why: Wording): void {
    const one = of(unitId)
    if (!one) return
    void withdraw(unitId, one.id, why).catch((error) =>
      log.error({ err: error, unitId }, `withdrawal of the ${kind.name} not stored`),
    )
  }

  /** Servers that admit a unit which was removed. */
  async function releaseLeft(): Promise<void> {
    for (const { id } of devices.all('server')) {
      const isLeft = (one: Admitted) => of(one.unitId)?.id !== one.id
      if (!admittedBy(id).some(isLeft)) continue
      const change = await db
        .transaction()
        .execute((transaction) => atServer(transaction, id, (now) => now.filter((one) => !isLeft(one))))
      devices.adopt([change])
    }
  }

  async function follow(serverId: string, targetsOf: (one: Wanted) => Targets): Promise<void> {
    for (const { unitId, id } of admittedBy(serverId)) {
      const one = of(unitId)
      const targets = one?.id === id ? targetsOf(one) : []
      if (targets.length === 0 || isDeepStrictEqual(one?.targets, targets)) continue
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
    if (name !== kind.begins || args[kind.idName] !== of(uid)?.id || kind.staysAfter(uid)) return
    withdrawSoon(uid, wordingOfFields(command, 'command.timedOut'))
  })
  events.on('unitOverUsage', ({ unitId }) => {
    const unit = of(unitId) && units.values(unitId)
    const usedUp = unit && dataFault(unit)
    if (usedUp !== undefined) withdrawSoon(unitId, wordingOf(usedUp))
  })
  events.on('deviceMoved', ({ deviceId }) => withdrawSoon(deviceId, wordingOf('unit.lost')))
  events.on('deviceRemoved', ({ deviceId, kind: removed }) => {
    if (removed === 'server') {
      for (const { id } of devices.all('unit')) {
        const one = of(id)
        if (one && kind.serverOf(one) === deviceId) withdrawSoon(id, wordingOf(kind.refusals.serverGone))
      }
      return
    }
    releaseLeft().catch((error) =>
      log.error({ err: error, deviceId }, `${kind.name} of the removed unit not released`),
    )
  })

  return {
    of,
    admittedBy,
    begin: (caller, unitId, { serverId, admit, wanted }) =>
      commanded(caller, unitId, kind.begins, wanted.id, async (transaction) => {
        const admitted = await atServer(transaction, serverId, (now) => [...now, admit(now)])
        const unitChange = await atUnit(transaction, unitId, (now) => {
          if (now) throw new Conflict(kind.refusals.running)
          return wanted
        })
        return { changes: [admitted, unitChange], unitChange }
      }),
    async end(caller, unitId) {
      units.get(caller.scope, unitId)
      const one = of(unitId)
      if (!one) throw new Conflict(kind.refusals.notRunning)
      return await commanded(caller, unitId, kind.ends, one.id, (transaction) =>
        release(transaction, unitId, one),
      )
    },
    withdraw,
    withdrawSoon,
    followSoon(serverId, targetsOf) {
      follow(serverId, targetsOf).catch((error) =>
        log.error({ err: error, serverId }, `new address for the ${kind.name} not sent to its units`),
      )
    },
    resume: releaseLeft,
    close: loss.close,
  }
}
