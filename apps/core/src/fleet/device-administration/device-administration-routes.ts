import type { deviceAdministration as endpoints } from '@backhaul/contract/api/device-administration'
import { CERTIFICATE_DELETED } from '@backhaul/contract/nouns/device-administration'
import type { Handlers } from '../../doors/api/bind.ts'
import type { DeviceAdministration } from './device-administration.ts'

export function deviceAdministrationRoutes({
  certificates,
  servers,
  units,
}: DeviceAdministration): Handlers<typeof endpoints> {
  return {
    serversOfInventory: ({ caller, params, query }) =>
      servers.page(caller.scope, query, { ...query, inventory: params.id }),
    servers: ({ caller, query }) => servers.page(caller.scope, query, query),
    async createServer({ caller, body, note }) {
      note({ details: body })
      const server = await servers.create(caller.scope, body)
      note({ objectId: server.uid, inventoryId: server.inventory })
      return server
    },
    async changeServer({ caller, params, body, note }) {
      note({ details: body })
      return await servers.change(caller, params.id, body)
    },
    async removeServer({ caller, params, found }) {
      await servers.remove(caller.scope, params.id, found)
      return { done: true }
    },
    async restartServer({ caller, params }) {
      await servers.restart(caller, params.id)
      return { done: true }
    },
    async deleteCertificate({ caller, params }) {
      servers.require(caller.scope, params.id)
      await certificates.remove(caller, params.id)
      return { message: CERTIFICATE_DELETED }
    },
    async setComment({ caller, params, body, note }) {
      note({ details: body })
      await servers.change(caller, params.id, body)
      return { done: true }
    },
    configuration: ({ caller, params }) => servers.settings(caller.scope, params.id),
    async configure({ caller, params, body, note }) {
      note({ details: body })
      return await servers.configure(caller.scope, params.id, body)
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
    async changeNamedUnit({ caller, body: { unitUniqueId, ...changes }, note }) {
      note({ objectId: unitUniqueId, details: changes })
      return await units.change(caller, unitUniqueId, changes)
    },
    smartUnit: ({ caller, params }) => units.smart(caller.scope, params.id),
    async changeSmartUnit({ caller, params, body, note }) {
      note({ details: body })
      await units.smart(caller.scope, params.id)
      return await units.change(caller, params.id, body)
    },
    unitOfInventory: ({ caller, params }) => units.ofInventory(caller.scope, params.inv, params.id),
    async changeUnitOfInventory({ caller, params, body, note }) {
      note({ details: body })
      await units.ofInventory(caller.scope, params.inv, params.id)
      note({ objectId: params.id })
      return await units.change(caller, params.id, body)
    },
    async removeUnit({ caller, params, found }) {
      await units.remove(caller.scope, params.id, found)
      return { done: true }
    },
    async removeNamedUnit({ caller, query: { unitUniqueId }, note, found }) {
      note({ objectId: unitUniqueId })
      await units.remove(caller.scope, unitUniqueId, found)
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
