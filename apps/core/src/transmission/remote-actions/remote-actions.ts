// Remote actions: vendor staff find a customer's device, see which actions are allowed now, and run them.
import type { Page } from '@backhaul/contract/define/answers'
import { reasonFields } from '@backhaul/contract/define/refusals'
import { RemoteAction, type RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Window } from '../../database/paging.ts'
import { everything } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

export interface RemoteActions {
  /** By name; those whose name or serial number has the text. */
  page(caller: Caller, query: Window & { search: string }): Promise<Page<RemoteDevice>>
  /** Answers the id under which the command is followed; throws what the order throws. */
  act(caller: Caller, device: string, action: RemoteAction, whileBusy: boolean): Promise<string>
}

interface Needs {
  inventories: Inventories
  units: Units
  accessApprovals: AccessApprovals
  transmissions: Transmissions
}

const order = new Intl.Collator('en', { numeric: true })

export function createRemoteActions(needs: Needs): RemoteActions {
  const { inventories, units, accessApprovals, transmissions } = needs

  async function shown(caller: Caller, unit: Unit, endMs: number | undefined): Promise<RemoteDevice> {
    const { uid, name, serialNumber, type, inventoryId, swVersion, offline, busy } = unit
    const actions = await Promise.all(
      RemoteAction.options.map(async (action) => {
        const { reason, cause } = reasonFields(await transmissions.refusalOf(caller, unit, action))
        return { name: action, refusal: reason, cause }
      }),
    )
    return {
      device: uid,
      name,
      serialNumber,
      type,
      inventoryId,
      inventoryName: (await inventories.get(everything, inventoryId)).name,
      swVersion,
      offline,
      busy,
      accessUntil: endMs === undefined ? null : new Date(endMs).toISOString(),
      actions,
    }
  }

  return {
    async page(caller, { search, offset, limit }) {
      const wanted = search.trim().toLowerCase()
      const found = units
        .readable(caller.scope)
        .filter(({ name, serialNumber }) => `${name}\n${serialNumber}`.toLowerCase().includes(wanted))
        .toSorted((a, b) => order.compare(a.name, b.name) || order.compare(a.uid, b.uid))
      const window = found.slice(offset, offset + limit)
      const ends = await accessApprovals.openEnds(window.map(({ uid }) => uid))
      const items = await Promise.all(window.map((unit) => shown(caller, unit, ends.get(unit.uid))))
      return { items, total: found.length, offset, limit }
    },
    act: (caller, device, action, whileBusy) => transmissions.order(caller, device, action, { whileBusy }),
  }
}
