import type { services as endpoints } from '@backhaul/contract/api/services'
import type { Handler, Handlers } from '../../doors/api/bind.ts'
import type { Services } from './services.ts'

type Calls = typeof endpoints

export function serviceRoutes(services: Services): Handlers<Calls> {
  const ofInventory: Handler<Calls['ofInventory']> = ({ caller, params }) =>
    services.ofInventory(caller.scope, params.id)
  const add: Handler<Calls['add']> = async ({ params, body, note }) => {
    note({ details: body })
    const added = await services.add(params.id, body)
    note({ inventoryId: params.id })
    return added
  }
  const change: Handler<Calls['change']> = async ({ params, body, note }) => {
    note({ details: body })
    const changed = await services.change(params.id, body)
    note({ inventoryId: params.id })
    return changed
  }
  return {
    list: ({ caller, query }) => services.page(caller.scope, query),
    ofInventory,
    ofInventoryForVendor: ofInventory,
    status: ({ caller, params, query }) => services.status(caller.scope, params.current, query.serviceName),
    async startTrial({ caller, params, body, note }) {
      note({ details: body })
      const started = await services.startTrial(caller.scope, params.current, body.serviceName)
      note({ inventoryId: params.current })
      return started
    },
    add,
    addNamed: ({ params: { service: name, ...params }, body, ...call }) =>
      add({ ...call, params, body: { name, ...body } }),
    change,
    changeNamed: ({ params: { service: name, ...params }, body, ...call }) =>
      change({ ...call, params, body: { name, ...body } }),
    async remove({ params, query, note }) {
      note({ details: query })
      await services.remove(params.id, query.serviceName)
      note({ inventoryId: params.id })
      return { done: true }
    },
    async removeNamed({ params, note }) {
      note({ details: { serviceName: params.service } })
      await services.remove(params.id, params.service)
      note({ inventoryId: params.id })
      return { done: true }
    },
  }
}
