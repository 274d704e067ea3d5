// Databridge: which gateway a unit uses, where its ports lead to, and when that may be changed.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  type DatabridgeGateway,
  type DatabridgePort,
  gatewayFault,
} from '@backhaul/contract/nouns/databridge'
import { gate } from '@backhaul/contract/nouns/gates'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Scope } from '../../database/scope.ts'
import type { DeviceDetails, Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import type { Units } from '../units/units.ts'

export interface Databridge {
  /** Throws NotFound for a unit outside the caller's scope. */
  selected(scope: Scope, unitId: string): DatabridgeGateway | null
  /** The ports of the unit, with the same errors. */
  ports(scope: Scope, unitId: string): readonly DatabridgePort[]
  options(scope: Scope, unitId: string): DatabridgeGateway[]
  /** Throws Conflict without a licence and while the databridge is active, NotFound for a gateway that is not among the options. */
  select(scope: Scope, unitId: string, gatewayId: string | null): Promise<void>
  /** Selects the gateway and the ports, with the same errors; a setting that is not given is kept. */
  set(scope: Scope, unitId: string, choice: DatabridgeChoice): Promise<void>
}

export interface DatabridgeChoice {
  gateway?: string | null | undefined
  ports?: DatabridgePort[] | undefined
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
  /** Throws when the choice cannot be made now, or by this caller. */
  function requireChoice(scope: Scope, unitId: string, gatewayId: string | null | undefined): void {
    const unit = units.get(scope, unitId)
    if (typeof gatewayId === 'string' && !options(scope, unitId).some(({ id }) => id === gatewayId))
      throw new NotFound('gateway')
    const fault = gate('databridge', { unit }) ?? gatewayFault(unit.applications)
    if (fault !== undefined) throw new Conflict(fault)
  }

  return {
    options,
    selected(scope, unitId) {
      const chosen = devices.get(units.get(scope, unitId).uid)?.details.databridgeGateway
      return options(scope, unitId).find(({ id }) => id === chosen) ?? null
    },
    ports(scope, unitId) {
      return devices.get(units.get(scope, unitId).uid)?.details.databridgePorts ?? []
    },
    async select(scope, unitId, gatewayId) {
      requireChoice(scope, unitId, gatewayId)
      await devices.updateDetails(unitId, withGateway(gatewayId))
      units.addEvent(unitId, 'settings', unitEvent('settings.gateway', {}))
    },
    async set(scope, unitId, { gateway, ports }) {
      requireChoice(scope, unitId, gateway)
      await devices.updateDetails(unitId, (now) => {
        const next = gateway === undefined ? now : withGateway(gateway)(now)
        return ports === undefined ? next : { ...next, databridgePorts: ports }
      })
      if (gateway !== undefined) units.addEvent(unitId, 'settings', unitEvent('settings.gateway', {}))
      if (ports !== undefined) units.addEvent(unitId, 'settings', unitEvent('settings.databridgePorts', {}))
    },
  }
}

const withGateway =
  (gatewayId: string | null) =>
  ({ databridgeGateway: _, ...details }: DeviceDetails): DeviceDetails =>
    gatewayId === null ? details : { ...details, databridgeGateway: gatewayId }
