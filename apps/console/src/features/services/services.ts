// The services of the customers that a person administers: read when the screen opens and after each change.
import { services as calls } from '@backhaul/contract/api/services'
import type { KnownService, ManagedService } from '@backhaul/contract/nouns/services'
import { call, type Fault } from '../../doors/api.ts'
import { createWholeList } from '../lists/lists.ts'

export const managedServices = createWholeList<ManagedService>(
  (query) => call(calls.list, { query }),
  ({ inventoryId, name }) => `${inventoryId} ${name}`,
)

/** What a customer has of every service; a trial can be started of those without one that are not in force. */
export const servicesOf = (id: string): Promise<ManagedService[]> =>
  call(calls.ofInventory, { params: { id } })

export const startTrial = (current: string, serviceName: KnownService): Promise<Fault | undefined> =>
  managedServices.change(() => call(calls.startTrial, { params: { current }, body: { serviceName } }))
