import type { units as endpoints } from '@backhaul/contract/api/units'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS } from '@backhaul/contract/nouns/modems'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Clock } from '@backhaul/runtime/clock'
import { everything } from '../../database/scope.ts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Databridge } from '../databridge/databridge.ts'
import type { Devices } from '../devices/devices.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Units } from '../units/units.ts'

export interface Needs {
  clock: Clock
  inventories: Inventories
  groups: Groups
  devices: Devices
  units: Units
  telemetry: Telemetry
  databridge: Databridge
}

/** A unit with what other features know of it, such as its modem graph up to now. */
export function unitDetailRoutes({
  clock,
  inventories,
  groups,
  devices,
  units,
  telemetry,
  databridge,
}: Needs): Handlers<Pick<typeof endpoints, 'enhanced'>> {
  const graphUntilNow = (unitId: string) =>
    telemetry.graph(everything, unitId, {
      points: GRAPH_POINTS,
      intervalMs: GRAPH_INTERVAL_MS,
      untilMs: clock.nowMs(),
    })
  return {
    async enhanced({ caller, params }) {
      // Throws NotFound for a unit outside the caller's scope.
      const ofUnit = await units.groupsOf(caller.scope, params.id)
      const unit = units.get(everything, params.id)
      const [inventory, points] = await Promise.all([
        inventories.get(caller.scope, unit.inventoryId).catch(() => undefined),
        graphUntilNow(unit.uid),
      ])
      const isFeed = productOf(unit.type).group === 'transceiverServer'
      const first = ofUnit[0]
      return {
        ...unit,
        inventory: { id: unit.inventoryId, name: inventory?.name ?? '' },
        groups: ofUnit,
        groupFeatures: first ? await groups.features(everything, first.uid) : {},
        sipAccount: devices.get(unit.uid)?.details.sipAccount ?? null,
        databridgeGateway: databridge.selected(caller.scope, unit.uid),
        pairingCodeMode: devices.get(unit.uid)?.details.pairing?.mode ?? 'off',
        modemGraph: isFeed ? [] : points,
        transceiverGraph: isFeed ? points : null,
      }
    },
  }
}
