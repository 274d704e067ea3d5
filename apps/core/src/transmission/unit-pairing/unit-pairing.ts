// Pairing of a machine with a unit: the unit's own code, with which its machine registers, and the end of the pairing.
import { randomInt } from 'node:crypto'
import { Conflict } from '@backhaul/contract/define/errors'
import { newPairingCode } from '@backhaul/contract/nouns/pairing'
import type { PairingCodeMode, UnitPairing } from '@backhaul/contract/nouns/unit-pairing'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { DeviceAdministration } from '../../fleet/device-administration/device-administration.ts'
import type { DeviceDetails, Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

/** All throw NotFound for a unit outside the caller's scope. */
export interface UnitPairings {
  of(scope: Scope, unitId: string): UnitPairing
  /** Another mode makes another code; the same one keeps its code. */
  setMode(scope: Scope, unitId: string, mode: PairingCodeMode): Promise<UnitPairing>
  /** Throws Conflict for a unit without a code of its own. */
  renew(scope: Scope, unitId: string): Promise<UnitPairing>
  /** Throws Conflict while the unit is busy, and for one that is deregistered already. */
  remove(caller: Caller, unitId: string): Promise<void>
}

interface Needs {
  db: Database
  devices: Devices
  units: Units
  accessApprovals: AccessApprovals
  deviceAdministration: DeviceAdministration
  transmissions: Transmissions
}

const newCode = () => newPairingCode((below) => randomInt(below))

export function createUnitPairings(needs: Needs): UnitPairings {
  const { db, devices, units, accessApprovals, deviceAdministration, transmissions } = needs

  const shown = (unitId: string): UnitPairing => ({
    mode: 'off',
    code: null,
    ...devices.get(unitId)?.details.pairing,
  })

  async function change(unitId: string, next: (now: DeviceDetails) => DeviceDetails): Promise<UnitPairing> {
    await devices.updateDetails(unitId, next)
    return shown(unitId)
  }

  return {
    of: (scope, unitId) => shown(units.get(scope, unitId).uid),
    async setMode(scope, unitId, mode) {
      units.get(scope, unitId)
      return await change(unitId, ({ pairing, ...now }) => {
        if (mode === 'off') return now
        return { ...now, pairing: pairing?.mode === mode ? pairing : { mode, code: newCode() } }
      })
    },
    async renew(scope, unitId) {
      units.get(scope, unitId)
      return await change(unitId, ({ pairing, ...now }) => {
        if (!pairing) throw new Conflict('pairing.off')
        return { ...now, pairing: { mode: pairing.mode, code: newCode() } }
      })
    },
    async remove(caller, unitId) {
      await transmissions.requirePower(caller, units.get(caller.scope, unitId))
      await deviceAdministration.units.deregister(caller.scope, unitId)
      await db.transaction().execute((transaction) => accessApprovals.noteAct(transaction, caller, unitId))
    },
  }
}
