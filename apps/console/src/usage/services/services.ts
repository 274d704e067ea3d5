// Services of customers: those that a user administers, and one customer's part of every service.
import { services as calls } from '@backhaul/contract/api/services'
import {
  isKnownService,
  type ManagedService,
  type NamedServiceChange,
  trialRefusal,
} from '@backhaul/contract/nouns/services'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'

export const managedServices = createList(
  'managedServices',
  () => readAll((query) => call(calls.list, { query })),
  ({ inventoryId, name }) => `${inventoryId} ${name}`,
)

const nameOf = ({ name }: ManagedService): string => name

/** Every service that there is, and what it is for a customer: for its own users. */
export const ownServices = createList(
  'ownServices',
  async (id: string) => ({ items: await call(calls.ofInventory, { params: { id } }) }),
  nameOf,
)

/** The services of all customers, for the vendor. */
export const customerServices = createList(
  'customerServices',
  async (id: string) => ({ items: await call(calls.ofInventoryForVendor, { params: { id } }) }),
  nameOf,
)

/** Why no trial can be started; the same rule as core's. */
export function trialFault(service: ManagedService): string | undefined {
  const { status, usageType, packageSize, usedData: used, expiration, trialStarted } = service
  const times = { expiresMs: msOf(expiration), trialStartedMs: msOf(trialStarted) }
  return trialRefusal({ status, usageType, packageSize, used, ...times }, Date.now())
}

const msOf = (time: string | null): number | null => (time === null ? null : Date.parse(time))

export const startTrial = ({ name: serviceName, inventoryId: current }: ManagedService) =>
  ownServices.change(async () => {
    if (isKnownService(serviceName))
      await call(calls.startTrial, { params: { current }, body: { serviceName } })
  })

/** A service that the customer does not have is given, another is changed. */
export const saveService = (
  id: string,
  body: NamedServiceChange,
  isNew: boolean,
): Promise<Fault | undefined> =>
  customerServices.change(() => call(isNew ? calls.add : calls.change, { params: { id }, body }))

export const takeService = ({ inventoryId: id, name }: ManagedService): Promise<Fault | undefined> =>
  customerServices.change(() => call(calls.remove, { params: { id }, query: { serviceName: name } }))
