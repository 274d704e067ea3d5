import type { deviceAdministration as endpoints } from '@backhaul/contract/api/device-administration'
import { NotFound } from '@backhaul/contract/define/errors'
import type { Scope } from '../../database/scope.ts'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Servers } from '../servers/servers.ts'
import type { DeviceAdministration } from './device-administration.ts'

export function deviceAdministrationRoutes(
  { servers: records, units }: DeviceAdministration,
  servers: Servers,
): Handlers<typeof endpoints> {
  function mmhServer(scope: Scope, id: string): string {
    if (servers.get(scope, id).type !== 'mmh_server') throw new NotFound('Server')
    return id
  }
  return {
    serversOfInventory: ({ caller, params, query }) =>
      records.page(caller.scope, query, { ...query, inventory: params.id }),
    servers: ({ caller, query }) => records.page(caller.scope, query, query),
    async createServer({ caller, body, note }) {
      note({ details: body })
      const server = await records.create(caller.scope, body)
      note({ objectId: server.uid, inventoryId: server.inventory })
      return server
    },
    async changeServer({ caller, params, body, note }) {
      note({ details: body })
      return await records.change(caller, params.id, body)
    },
    async removeServer({ caller, params, note }) {
      const { name, inventoryId } = servers.get(caller.scope, params.id)
      await records.remove(caller.scope, params.id)
      note({ inventoryId, details: { name } })
      return { done: true }
    },
    async restartServer({ caller, params }) {
      await records.restart(caller, params.id)
      return { done: true }
    },
    async setComment({ caller, params, body, note }) {
      note({ details: body })
      await records.change(caller, params.id, body)
      return { done: true }
    },
    configuration: ({ caller, params }) => servers.settings(mmhServer(caller.scope, params.id)),
    async configure({ caller, params, body, note }) {
      note({ details: body })
      return await records.configure(caller.scope, mmhServer(caller.scope, params.id), body)
    },
    unitsOfInventory: ({ caller, params, query }) =>
      units.page(caller.scope, query, { ...query, inventory: params.inv }),
    units: ({ caller, query }) => units.page(caller.scope, query, query),
    unit: ({ caller, params }) => units.one(caller.scope, params.id),
    async createUnit({ caller, body, note }) {
      note({ details: body })
      const unit = await units.create(caller.scope, body)
      note({ objectId: unit.uid, inventoryId: unit.inventory })
      return unit
    },
    async changeUnit({ caller, params, body, note }) {
      note({ details: body })
      return await units.change(caller, params.id, body)
    },
    async removeUnit({ caller, params, note }) {
      const { name, inventory: inventoryId } = await units.one(caller.scope, params.id)
      await units.remove(caller.scope, params.id)
      note({ inventoryId, details: { name } })
      return { done: true }
    },
    async deregisterUnit({ caller, params, note }) {
      const unit = await units.deregister(caller.scope, params.id)
      note({ inventoryId: unit.inventory })
      return unit
    },
    inventoriesOfUnit: ({ caller, params, query }) => units.inventoriesOf(caller.scope, params.id, query),
    groupsOfUnit: ({ caller, params, query }) => units.groupsOf(caller.scope, params.id, query),
    groupsForUnit: ({ caller, params, query }) => units.groupsFor(caller.scope, params.id, query),
    async associate({ caller, params, note }) {
      await units.associate(caller.scope, params.inv, params.unit)
      note({ objectId: params.unit })
      return { done: true }
    },
    async disassociate({ caller, params, note }) {
      await units.disassociate(caller.scope, params.inv, params.unit)
      note({ objectId: params.unit })
      return { done: true }
    },
  }
}
