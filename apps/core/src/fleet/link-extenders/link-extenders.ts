// Link extenders: paired to field units under SLA, and sent to them in the wanted state.

import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import { gate, SLA, unlimitedServices } from '@backhaul/contract/nouns/gates'
import {
  type ExtenderState,
  LINK_EXTENDERS_MAX,
  type LinkExtender,
} from '@backhaul/contract/nouns/link-extenders'
import { productOf } from '@backhaul/contract/nouns/products'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Devices, WantedChange } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import * as table from './link-extender-table.ts'

export interface LinkExtenders {
  /** Throws NotFound for a unit outside the caller's scope; so do the others. */
  of(scope: Scope, unitId: string): Promise<LinkExtender[]>
  /** Throws Conflict for a unit that is not under SLA or cannot have one more, and for an extender that is paired. */
  pair(caller: Caller, unitId: string, serialNumber: string): Promise<LinkExtender[]>
  /** Throws NotFound for one that is not paired to the unit. */
  remove(scope: Scope, unitId: string, serialNumber: string): Promise<LinkExtender[]>
  /** Sets whether the unit is under SLA; one that is not does not use its extenders until it is again. */
  setSla(unitId: string, isUnderSla: boolean): Promise<void>
  /** Inside a change of the services of the unit: what it is sent then. Adopt the change after it. */
  follow(transaction: DatabaseTransaction, unitId: string, isUnderSla: boolean): Promise<WantedChange>
  /** Inside a move to another customer: extenders are kept by their customer. Adopt the change after it. */
  leave(transaction: DatabaseTransaction, unitId: string): Promise<WantedChange>
}

interface Needs {
  db: Database
  clock: Clock
  devices: Devices
  units: Units
}

export function createLinkExtenders({ db, clock, devices, units }: Needs): LinkExtenders {
  /** Stores by `write`, and sends the unit its paired extenders then. */
  const changeWanted = (
    transaction: DatabaseTransaction,
    unitId: string,
    isUnderSla: boolean,
    write: () => Promise<unknown> = async () => {},
  ) =>
    devices.changeWanted<UnitWanted>(transaction, unitId, async (wanted) => {
      await write()
      const paired = isUnderSla ? await table.extendersOf(transaction, unitId) : []
      return { ...wanted, extenders: paired.map((row) => row.serial_number) }
    })

  async function change(
    unit: Pick<Unit, 'uid' | 'services'>,
    write: (transaction: DatabaseTransaction) => Promise<unknown>,
  ): Promise<void> {
    const isUnderSla = unit.services.includes(SLA)
    const reported = await db
      .transaction()
      .execute((transaction) => changeWanted(transaction, unit.uid, isUnderSla, () => write(transaction)))
    devices.adopt([reported])
  }

  /** A serial number of a device of the customer must be an extender's; unknown ones belong to boxes that never join. */
  function requireExtender({ inventoryId }: Unit, serialNumber: string): void {
    const named = devices.withSerial({ kind: 'unit', inventoryId, serialNumber })
    if (named && productOf(named.productType).group !== 'extenderDevices')
      throw refused('linkExtender.noExtender')
  }

  const of: LinkExtenders['of'] = async (scope, unitId) => {
    const unit = units.get(scope, unitId)
    const reported = units.memory(unitId)?.actual.extenders ?? []
    return (await table.extendersOf(db, unitId)).map((row) => ({
      serialNumber: row.serial_number,
      state: stateOf(
        unit,
        reported.find((one) => one.serialNumber === row.serial_number)?.connected === true,
      ),
      pairedAt: new Date(Number(row.paired_ms)).toISOString(),
      pairedBy: row.paired_by,
    }))
  }

  return {
    of,
    async pair({ scope, username }, unitId, serialNumber) {
      const unit = units.get(scope, unitId)
      requirePairing(unit)
      requireExtender(unit, serialNumber)
      const row = {
        inventory_id: unit.inventoryId,
        serial_number: serialNumber,
        unit_id: unitId,
        paired_ms: clock.nowMs(),
        paired_by: username,
      }
      await unlessTaken(
        change(unit, async (transaction) => {
          if ((await table.extendersOf(transaction, unitId)).length >= LINK_EXTENDERS_MAX)
            throw refused(because('linkExtender.full', { most: LINK_EXTENDERS_MAX }))
          await table.insertExtender(transaction, row)
        }),
        () => refused('linkExtender.taken'),
      )
      units.addEvent(unitId, 'settings', unitEvent('extender.paired', { serialNumber }))
      return await of(scope, unitId)
    },
    async remove(scope, unitId, serialNumber) {
      await change(units.get(scope, unitId), async (transaction) => {
        const removed = await table.removeExtenders(transaction, unitId, serialNumber)
        if (removed === 0) throw new NotFound('linkExtender')
      })
      units.addEvent(unitId, 'settings', unitEvent('extender.removed', { serialNumber }))
      return await of(scope, unitId)
    },
    async setSla(unitId, isUnderSla) {
      const done = await db.transaction().execute(async (transaction) => {
        const details = await devices.changeDetails(transaction, unitId, ({ services, ...now }) => ({
          ...now,
          services: [
            ...(services ?? unlimitedServices).filter((one) => one !== SLA),
            ...(isUnderSla ? [SLA] : []),
          ],
        }))
        const isCovered = isUnderSla || details.details.givenServices?.includes(SLA) === true
        return { details, wanted: await changeWanted(transaction, unitId, isCovered) }
      })
      devices.adoptDetails(done.details)
      devices.adopt([done.wanted])
      units.addEvent(unitId, 'settings', unitEvent('settings.extenders', {}))
    },
    follow: (transaction, unitId, isUnderSla) => changeWanted(transaction, unitId, isUnderSla),
    leave: (transaction, unitId) =>
      changeWanted(transaction, unitId, false, () => table.removeExtenders(transaction, unitId)),
  }
}

const refused = (reason: Reason) => Conflict.at('serialNumber', reason)

/** The abilities of a machine that has never joined are not known yet: it is sent the extenders when it joins. */
function requirePairing(unit: Unit): void {
  const closed = gate('linkExtenders', { unit })
  if (closed !== undefined) throw new Conflict(closed)
  if (productOf(unit.type).group !== 'fieldUnits') throw refused('linkExtender.notFieldUnit')
  if (unit.swVersion !== '' && unit.capabilities.xtend !== true) throw refused('linkExtender.notBuiltIn')
}

function stateOf(unit: Unit, isConnected: boolean): ExtenderState {
  if (!unit.services.includes(SLA)) return 'resting'
  if (unit.offline) return 'unknown'
  return isConnected ? 'connected' : 'searching'
}
