// The e-mail of the administrator's customers: read when the screen opens and after each change.
import { outbox as calls } from '@backhaul/contract/api/outbox'
import type { Mail, MailKind } from '@backhaul/contract/nouns/outbox'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

interface ListState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  /** Kinds that wait because nothing is set that takes them; who sends no SMS is not told of a gateway. */
  unserved: readonly MailKind[]
  total: number
  /** What the mail that is held was searched by. */
  search: string
}

/** Older mail is found by searching. */
export const shownAtMost = 1000

export const mailStore = createKeyedStore<Mail>()
export const outboxState = createValue<ListState>({ state: 'loading', unserved: [], total: 0, search: '' })

let newest = 0

export async function loadOutbox(search: string): Promise<void> {
  newest += 1
  const own = newest
  try {
    const { items, total, isConnected, isSmsConnected } = await call(calls.list, {
      query: { limit: shownAtMost, search },
    })
    if (own !== newest) return
    mailStore.replaceAll(items.map((mail) => [mail.id, mail] as const))
    mailStore.flush()
    const hasSms = items.some(({ kind }) => kind === 'sms')
    const unserved: MailKind[] = [
      ...(isConnected ? [] : (['email'] as const)),
      ...(isSmsConnected || !hasSms ? [] : (['sms'] as const)),
    ]
    outboxState.set({ state: 'ready', unserved, total, search })
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
