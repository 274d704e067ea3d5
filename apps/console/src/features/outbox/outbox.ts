// The e-mail of the administrator's customers: read when the screen opens and after each change.
import { outbox as calls } from '@backhaul/contract/api/outbox'
import type { Mail } from '@backhaul/contract/nouns/outbox'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

interface ListState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  isConnected: boolean
  total: number
}

/** Older mail is found by searching. */
export const shownAtMost = 1000

export const mailStore = createKeyedStore<Mail>()
export const outboxState = createValue<ListState>({ state: 'loading', isConnected: true, total: 0 })

let newest = 0

export async function loadOutbox(search: string): Promise<void> {
  newest += 1
  const own = newest
  try {
    const { items, total, isConnected } = await call(calls.list, { query: { limit: shownAtMost, search } })
    if (own !== newest) return
    mailStore.replaceAll(items.map((mail) => [mail.id, mail] as const))
    mailStore.flush()
    outboxState.set({ state: 'ready', isConnected, total })
  } catch (error) {
    if (own !== newest) return
    outboxState.set({ ...outboxState.get(), state: 'error', errorText: faultWords(describeFault(error)) })
  }
}

async function afterwards(change: Promise<unknown>, search: string): Promise<Fault | undefined> {
  try {
    await change
  } catch (error) {
    return describeFault(error)
  }
  await loadOutbox(search)
}

export const retryMail = (id: string, search: string): Promise<Fault | undefined> =>
  afterwards(call(calls.retry, { params: { id } }), search)

export const discardMail = (id: string, search: string): Promise<Fault | undefined> =>
  afterwards(call(calls.discard, { params: { id } }), search)
