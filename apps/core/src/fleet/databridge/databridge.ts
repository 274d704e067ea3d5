// Databridge: which gateway a unit uses, and when it may be changed.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { type DatabridgeGateway, gatewayFault } from '@backhaul/contract/nouns/databridge'
import { gate } from '@backhaul/contract/nouns/gates'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Scope } from '../../database/scope.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import type { Units } from '../units/units.ts'

export interface Databridge {
  /** Throws NotFound for a unit that the caller may not know of. */
  selected(scope: Scope, unitId: string): DatabridgeGateway | null
  options(scope: Scope, unitId: string): DatabridgeGateway[]
  /** Throws Conflict without a licence and while the databridge is active, NotFound for a gateway that is not among the options. */
  select(scope: Scope, unitId: string, gatewayId: string | null): Promise<void>
}

interface Needs {
  devices: Devices
  servers: Servers
  units: Units
}

export function createDatabridge({ devices, servers, units }: Needs): Databridge {
  const options: Databridge['options'] = (scope, unitId) => {
    const { inventoryId } = units.get(scope, unitId)
    return servers
      .ofType(scope, 'db_gateway')
      .filter(
        ({ deviceId, inventoryId: owner }) =>
          owner === inventoryId || devices.get(deviceId)?.details.inventories?.includes(inventoryId),
      )
      .map(({ deviceId, name, addresses }) => ({ id: deviceId, name, address: addresses[0] ?? '' }))
  }
  return {
    options,
    selected(scope, unitId) {
      const chosen = devices.get(units.get(scope, unitId).uid)?.details.databridgeGateway
      return options(scope, unitId).find(({ id }) => id === chosen) ?? null
    },
    async select(scope, unitId, gatewayId) {
      const unit = units.get(scope, unitId)
      if (gatewayId !== null && !options(scope, unitId).some(({ id }) => id === gatewayId))
        throw new NotFound('gateway')
      const fault = gate('databridge', { unit }) ?? gatewayFault(unit.applications)
      if (fault !== undefined) throw new Conflict(fault)
      await devices.updateDetails(unitId, ({ databridgeGateway: _, ...details }) =>
        gatewayId === null ? details : { ...details, databridgeGateway: gatewayId },
      )
      units.addEvent(unitId, 'settings', unitEvent('settings.gateway', {}))
    },
  }
}
