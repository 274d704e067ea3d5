// Which point-to-multipoint machines a unit may send to: channels whose name says so (ST-CHSEL-08).
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { isMultipointName } from '@backhaul/contract/nouns/channels'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Scope } from '../../database/scope.ts'
import type { Channels } from '../channels/channels.ts'
import type { Inventories } from '../inventories/inventories.ts'

interface Needs {
  channels: Channels
  inventories: Inventories
}

/**
 * Throws NotFound for what is no machine that the caller may know of, Conflict where the customer has the feature not,
 * or the server is too old (CO-ADMIN-19). More than one machine at once is for contributors. What is selected can be
 * taken away all the same.
 */
export async function demandMachines(
  { channels, inventories }: Needs,
  scope: Scope,
  unit: Pick<Unit, 'inventoryId' | 'selectedChannels'>,
  machines: readonly string[],
): Promise<void> {
  const wanted = machines.map((id) => channels.get(scope, id))
  if (wanted.some(({ name }) => !isMultipointName(name))) throw new NotFound('Machine')
  const added = wanted.filter(({ uniqueId }) => !unit.selectedChannels.includes(uniqueId))
  if (added.length === 0) return
  const tooOld = added.map(({ liveuVersion }) => gate('multipoint', { serverVersion: liveuVersion }))
  const closed =
    (await inventories.closed(unit.inventoryId, 'pointToMultipoint')) ??
    (machines.length > 1 ? await inventories.closed(unit.inventoryId, 'multipointContributor') : undefined) ??
    tooOld.find((reason) => reason !== undefined)
  if (closed !== undefined) throw new Conflict(closed)
}
