// The point-to-multipoint machines that a unit may send to: channels with a name of that form (ST-CHSEL-08).
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { type Channel, isMultipointName } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { requireVersion } from './refusals.ts'

/**
 * Throws NotFound for what is not a machine, Conflict when the customer lacks the feature, or the server is too old
 * (CO-ADMIN-19). More than one machine at once is for contributors. A selected one can always be removed.
 */
export async function requireMachines(
  inventories: Inventories,
  unit: Pick<Unit, 'inventoryId' | 'selectedChannels' | 'swVersion'>,
  wanted: readonly Channel[],
): Promise<void> {
  if (wanted.some(({ name }) => !isMultipointName(name))) throw new NotFound('machine')
  const added = wanted.filter(({ uniqueId }) => !unit.selectedChannels.includes(uniqueId))
  if (added.length === 0) return
  const tooOld = added.map(({ liveuVersion }) => gate('multipoint', { serverVersion: liveuVersion }))
  const closed =
    (await inventories.closed(unit.inventoryId, 'pointToMultipoint')) ??
    (wanted.length > 1 ? await inventories.closed(unit.inventoryId, 'multipointContributor') : undefined) ??
    tooOld.find((reason) => reason !== undefined)
  if (closed !== undefined) throw new Conflict(closed)
  for (const machine of added) requireVersion(unit, machine)
}
