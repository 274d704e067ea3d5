// Licences: assigned to units from the stock of their customer, never more than that, and pushed to followers.

import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { unitLicences, unlimitedServices } from '@backhaul/contract/nouns/gates'
import {
  amountOf,
  givesAny,
  type HeldLicence,
  type Licence,
  type LicenceChange,
  type LicenceStock,
  type Licences as LicencesAnswer,
  type LicensedUnit,
  noLicences,
  type UnitLicences,
} from '@backhaul/contract/nouns/licences'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { DeviceDetails, Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import * as table from './licence-table.ts'

export interface Licences {
  /** Throws NotFound. */
  ofInventory(scope: Scope, inventoryId: string): Promise<LicencesAnswer>
  /** Throws NotFound, and Conflict when the stock has none left or a transmitting unit would lose its picture. */
  assign(scope: Scope, inventoryId: string, unitId: string, change: LicenceChange): Promise<LicensedUnit>
  /** Makes the unit unlimited again; throws NotFound. */
  removeLimit(scope: Scope, inventoryId: string, unitId: string): Promise<LicensedUnit>
  stock(inventoryId: string): Promise<HeldLicence[]>
  /**
   * Throws Conflict when this many uses at a time are more than the customer holds; a customer without a stock
   * has no limit. Other writers of the customer's licences wait for the end of the transaction.
   */
  requireUsable(
    transaction: DatabaseTransaction,
    inventoryId: string,
    licence: Licence,
    uses: (transaction: DatabaseTransaction) => Promise<number>,
  ): Promise<void>
  /** Throws Conflict when more are assigned. */
  setStock(inventoryId: string, stock: LicenceStock): Promise<HeldLicence[]>
}

interface Needs {
  db: Database
  inventories: Inventories
  devices: Devices
  units: Units
}

export function createLicences({ db, inventories, devices, units }: Needs): Licences {
  const shown = (unitId: string, licences: UnitLicences | undefined): LicensedUnit => {
    const { name = '', type = '', serialNumber = '' } = units.values(unitId) ?? {}
    return {
      uid: unitId,
      name,
      type,
      serialNumber,
      isLicensed: licences !== undefined,
      licences: licences ?? noLicences,
    }
  }

  async function unitOf(scope: Scope, inventoryId: string, unitId: string) {
    const { id } = await inventories.get(scope, inventoryId)
    const unit = units.get(scope, unitId)
    if (unit.inventoryId !== id) throw new NotFound('unit')
    return { id, unit }
  }

  return {
    async ofInventory(scope, inventoryId) {
      const { id } = await inventories.get(scope, inventoryId)
      const licences = await table.licencesOf(db, id)
      return {
        stock: await table.stockOf(db, id),
        units: units.ofInventory(id).map(({ uid }) => shown(uid, licences.get(uid))),
      }
    },
    async assign(scope, inventoryId, unitId, change) {
      const { id, unit } = await unitOf(scope, inventoryId, unitId)
      if (change.video === false && isStreaming(unit)) throw new Conflict('unit.busy')
      const done = await db.transaction().execute(async (transaction) => {
        await table.holdTotals(transaction, id)
        const before = (await table.licencesOf(transaction, id)).get(unitId)
        if (!before && !givesAny(change)) return undefined
        const licences = applied(before ?? noLicences, change)
        await table.saveLicences(transaction, unitId, licences)
        for (const { licence, total, assigned } of await table.stockOf(transaction, id)) {
          const isMore = amountOf(licences, licence) > amountOf(before ?? noLicences, licence)
          if (isMore && assigned > total) throw noneLeft(licence)
        }
        const details = await devices.changeDetails(transaction, unitId, (now) => licensed(now, licences))
        return { licences, details }
      })
      if (!done) return shown(unitId, undefined)
      devices.adoptDetails(done.details)
      units.addEvent(unitId, 'settings', unitEvent('settings.licences', {}))
      return shown(unitId, done.licences)
    },
    async removeLimit(scope, inventoryId, unitId) {
      const { id } = await unitOf(scope, inventoryId, unitId)
      const details = await db.transaction().execute(async (transaction) => {
        await table.holdTotals(transaction, id)
        await table.deleteLicences(transaction, unitId)
        return await devices.changeDetails(transaction, unitId, notLimited)
      })
      devices.adoptDetails(details)
      units.addEvent(unitId, 'settings', unitEvent('settings.licences', {}))
      return shown(unitId, undefined)
    },
    async stock(inventoryId) {
      const { id } = await inventories.get(everything, inventoryId)
      return await table.stockOf(db, id)
    },
    async requireUsable(transaction, inventoryId, licence, uses) {
      const total = (await table.holdTotals(transaction, inventoryId))[licence]
      if (total !== undefined && (await uses(transaction)) > total) throw noneLeft(licence)
    },
    async setStock(inventoryId, { licence, total }) {
      const { id } = await inventories.get(everything, inventoryId)
      return await db.transaction().execute(async (transaction) => {
        const totals = await table.holdTotals(transaction, id)
        await table.saveTotals(transaction, id, { ...totals, [licence]: total })
        const stock = await table.stockOf(transaction, id)
        const assigned = stock.find((one) => one.licence === licence)?.assigned ?? 0
        if (assigned > total) throw Conflict.at('total', because('licence.assigned', { count: assigned }))
        return stock
      })
    },
  }
}

const applied = (licences: UnitLicences, change: LicenceChange): UnitLicences =>
  ({
    ...licences,
    ...(Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    ) as LicenceChange as Partial<UnitLicences>),
  }) as UnitLicences

function noneLeft(licence: Licence): Conflict {
  return Conflict.at(licence, licence === 'videoReturn' ? 'videoReturn.noLicence' : 'licence.none')
}

/** The services of a unit that are not licences and are kept: its maintenance contract, how many cameras it may send. */
function othersOf(details: DeviceDetails): string[] {
  const { services = unlimitedServices } = details
  return services.filter((service) => !unitLicences.some((licence) => licence === service))
}

/** The details with the licences as the unit shows them. */
function licensed(details: DeviceDetails, licences: UnitLicences): DeviceDetails {
  const { raHours, rlHours, video } = licences
  return {
    ...details,
    license: { raHours, rlHours, valid: video },
    services: [...unitLicences.filter((licence) => licences[licence]), ...othersOf(details)],
  }
}

/** Leaves the unit as if no licence had ever been assigned to it. */
function notLimited({ license: _, ...details }: DeviceDetails): DeviceDetails {
  return { ...details, services: [...unitLicences, ...othersOf(details)] }
}
