// The services of the customers that a person administers: read when the screen opens and after each change.
import { services as calls } from '@backhaul/contract/api/services'
import type { KnownService, ManagedService } from '@backhaul/contract/nouns/services'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

export const serviceStore = createKeyedStore<ManagedService>()
export const servicesState = createValue<{ state: 'loading' | 'ready' | 'error'; errorText?: string }>({
  state: 'loading',
})
/** Those whose package is used up, for the banner. */
export const overUsed = createValue<readonly ManagedService[]>([])

const pageSize = 500

const keyOf = ({ inventoryId, name }: ManagedService): string => `${inventoryId} ${name}`

export async function loadServices(): Promise<void> {
  try {
    const found: ManagedService[] = []
    let total = Number.POSITIVE_INFINITY
    while (found.length < total) {
      const page = await call(calls.list, { query: { limit: pageSize, offset: found.length } })
      if (page.items.length === 0) break
      found.push(...page.items)
      total = page.total
    }
    serviceStore.replaceAll(found.map((service) => [keyOf(service), service]))
    serviceStore.flush()
    overUsed.set(found.filter(({ overUsage }) => overUsage))
    servicesState.set({ state: 'ready' })
  } catch (error) {
    servicesState.set({ state: 'error', errorText: faultWords(describeFault(error)) })
  }
}

/** What a customer has of every service; a trial can be started of those without one that are not in force. */
export const servicesOf = (id: string): Promise<ManagedService[]> =>
  call(calls.ofInventory, { params: { id } })

export async function startTrial(current: string, serviceName: KnownService): Promise<Fault | undefined> {
  try {
    await call(calls.startTrial, { params: { current }, body: { serviceName } })
    return undefined
  } catch (error) {
    return describeFault(error)
  } finally {
    await loadServices()
  }
}
