// Services of units by name: licences come from the stock of the customer, the others are set by vendor staff.
import { mayDo } from '@backhaul/contract/define/actions'
import { NotAllowed } from '@backhaul/contract/define/errors'
import { SLA, type UnitLicence, unitLicences, unlimitedServices } from '@backhaul/contract/nouns/gates'
import { type LicenceChange, mayActivate } from '@backhaul/contract/nouns/licences'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import {
  cameraLevels,
  type UnitService,
  type UnitServiceName,
  withCameraLevel,
} from '@backhaul/contract/nouns/unit-services'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { LinkExtenders } from '../../fleet/link-extenders/link-extenders.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Licences } from '../licences/licences.ts'

/** All throw NotFound for a unit outside the caller's scope. */
export interface UnitServices {
  one(scope: Scope, unitId: string, name: UnitServiceName): UnitService
  /**
   * Answers the services of the unit. Throws NotAllowed where the caller may not change one of them, and Conflict where the
   * stock has none left or a transmitting unit would lose its picture. What the unit has, or has not, already is kept.
   */
  change(
    caller: Caller,
    unitId: string,
    names: readonly UnitServiceName[],
    isEnabled: boolean,
  ): Promise<string[]>
}

interface Needs {
  devices: Devices
  units: Units
  linkExtenders: LinkExtenders
  licences: Licences
}

const isLicence = (name: UnitServiceName): name is UnitLicence => unitLicences.some((one) => one === name)

export function createUnitServices({ devices, units, linkExtenders, licences }: Needs): UnitServices {
  /** From a unit that is not limited one licence can be removed as well: it keeps the others, from the stock. */
  async function changeLicences(
    scope: Scope,
    { uid, inventoryId, license, services }: Unit,
    changed: readonly UnitLicence[],
    isEnabled: boolean,
  ): Promise<void> {
    const kept = license === null && !isEnabled ? unitLicences.filter((one) => services.includes(one)) : []
    const change: LicenceChange = {
      ...Object.fromEntries(kept.map((name) => [name, true])),
      ...Object.fromEntries(changed.map((name) => [name, isEnabled])),
    }
    await licences.assign(scope, inventoryId, uid, change)
  }

  async function changeLevel(unitId: string, names: readonly UnitServiceName[], isEnabled: boolean) {
    const level = isEnabled ? cameraLevels.find((one) => names.includes(one)) : undefined
    await devices.updateDetails(unitId, ({ services = unlimitedServices, ...now }) => ({
      ...now,
      services: withCameraLevel(services, level),
    }))
    units.addEvent(unitId, 'settings', unitEvent('settings.licences', {}))
  }

  return {
    one: (scope, unitId, name) => ({
      name,
      enabled: units.get(scope, unitId).services.includes(name),
    }),
    async change(caller, unitId, names, isEnabled) {
      const { scope } = caller
      const unit = units.get(scope, unitId)
      // A licence that a device service gives for a time can be assigned from the stock as well.
      const own = devices.get(unitId)?.details.services ?? unlimitedServices
      const changed = names.filter((name) => own.includes(name) !== isEnabled)
      const ofStock = changed.filter(isLicence)
      const ofVendor = changed.filter((name) => !isLicence(name))
      if (ofStock.length > 0 && !mayActivate(caller)) throw new NotAllowed()
      if (ofVendor.length > 0 && !mayDo(caller.roles, 'administerSystem')) throw new NotAllowed()
      if (ofStock.length > 0) await changeLicences(scope, unit, ofStock, isEnabled)
      if (ofVendor.includes(SLA)) await linkExtenders.setSla(unitId, isEnabled)
      if (ofVendor.some((name) => name !== SLA)) await changeLevel(unitId, ofVendor, isEnabled)
      return units.get(scope, unitId).services
    },
  }
}
