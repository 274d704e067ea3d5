// Devices found by name or serial number, and what the person may do to them from afar.
import { remoteActions as calls } from '@backhaul/contract/api/remote-actions'
import type { RemoteAction, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

interface ListState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  total: number
  /** What the devices that are held were searched by. */
  search: string
}

/** A person looks for one device: more of them are found by more of its name. */
export const shownAtMost = 100

export const deviceStore = createKeyedStore<RemoteDevice>()
export const devicesState = createValue<ListState>({ state: 'loading', total: 0, search: '' })

let newest = 0

export async function loadDevices(search: string): Promise<void> {
  newest += 1
  const own = newest
  try {
    const { items, total } = await call(calls.list, { query: { search, limit: shownAtMost } })
    if (own !== newest) return
    deviceStore.replaceAll(items.map((device) => [device.device, device] as const))
    deviceStore.flush()
    devicesState.set({ state: 'ready', total, search })
  } catch (error) {
    if (own !== newest) return
    devicesState.set({ ...devicesState.get(), state: 'error', errorText: faultWords(describeFault(error)) })
  }
}

/** What came of it is told by the list, which is read again. */
export async function actOn(device: string, action: RemoteAction): Promise<Fault | undefined> {
  try {
    await call(calls.act, { body: { device, action } })
  } catch (error) {
    return describeFault(error)
  } finally {
    void loadDevices(devicesState.get().search)
  }
}
