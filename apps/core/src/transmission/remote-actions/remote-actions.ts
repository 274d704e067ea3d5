// Remote actions: vendor staff find a customer's device, see which actions are allowed now, and run them.
import type { Page } from '@backhaul/contract/define/answers'
import { NotFound } from '@backhaul/contract/define/errors'
import { reasonFields } from '@backhaul/contract/define/refusals'
import { needsAccessApproval } from '@backhaul/contract/nouns/access-approvals'
import type { RemoteActionRequest, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import type { Window } from '../../database/paging.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { createRemoteActs, type Target } from './remote-acts.ts'

export interface RemoteActions {
  /** The devices whose name or serial number has the text, by name. */
  page(caller: Caller, query: Window & { search: string }): Promise<Page<RemoteDevice>>
  /** Answers the id under which a command is followed; throws what the action throws. */
  act(caller: Caller, request: RemoteActionRequest): Promise<string | undefined>
}

type Needs = Parameters<typeof createRemoteActs>[0] & {
  inventories: Inventories
  servers: Servers
  units: Units
}

const order = new Intl.Collator('en', { numeric: true })

export function createRemoteActions(needs: Needs): RemoteActions {
  const { devices, inventories, servers, units, accessApprovals } = needs
  const acts = createRemoteActs(needs)

  function target(scope: Scope, id: string): Target {
    try {
      if (devices.get(id)?.kind === 'server') return { kind: 'server', id, server: servers.get(scope, id) }
      return { kind: 'unit', id, unit: units.get(scope, id) }
    } catch (error) {
      // A device of another customer is treated like one that does not exist.
      throw error instanceof NotFound ? new NotFound('device') : error
    }
  }

  async function shown(caller: Caller, of: Target, endMs: number | undefined): Promise<RemoteDevice> {
    const isClosed = endMs === undefined && needsAccessApproval(caller.roles)
    const actions = await Promise.all(
      acts.of(of).map(async ({ name, refusal }) => {
        const why = isClosed && name !== 'checkAccess' ? 'access.missing' : await refusal(caller)
        const { reason, cause } = reasonFields(why)
        return { name, refusal: reason, cause }
      }),
    )
    const { name, serialNumber, inventoryId, swVersion } = of.kind === 'unit' ? of.unit : of.server
    return {
      device: of.id,
      kind: of.kind,
      name,
      serialNumber,
      type: of.kind === 'unit' ? of.unit.type : of.server.productType,
      inventoryId,
      inventoryName: (await inventories.get(everything, inventoryId)).name,
      swVersion,
      offline: of.kind === 'unit' ? of.unit.offline : of.server.state === 'offline',
      busy: of.kind === 'unit' ? of.unit.busy : acts.isBusy(of.id),
      accessUntil: endMs === undefined ? null : new Date(endMs).toISOString(),
      actions,
    }
  }

  return {
    async page(caller, { search, offset, limit }) {
      const wanted = search.trim().toLowerCase()
      const { scope } = caller
      const found = [
        ...units.readable(scope).map(({ uid: id, name, serialNumber }) => ({ id, name, serialNumber })),
        ...servers.ofType(scope).map(({ deviceId: id, name, serialNumber }) => ({ id, name, serialNumber })),
      ]
        .filter(({ name, serialNumber }) => `${name}\n${serialNumber}`.toLowerCase().includes(wanted))
        .toSorted((a, b) => order.compare(a.name, b.name) || order.compare(a.id, b.id))
      const window = found.slice(offset, offset + limit)
      const ends = await accessApprovals.openEnds(window.map(({ id }) => id))
      const items = await Promise.all(window.map(({ id }) => shown(caller, target(scope, id), ends.get(id))))
      return { items, total: found.length, offset, limit }
    },
    async act(caller, request) {
      const of = target(caller.scope, request.device)
      if (request.action !== 'checkAccess') await accessApprovals.require(caller, of.id)
      return await acts.run(caller, of, request)
    },
  }
}
