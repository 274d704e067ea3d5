// The e-mail of the administrator's customers: read when the screen opens and after each change.
import { outbox as calls } from '@backhaul/contract/api/outbox'
import type { MailKind } from '@backhaul/contract/nouns/outbox'
import { call, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

/** Older mail is found by searching. */
export const shownAtMost = 1000

export const mails = createList(
  'outbox',
  async (search: string) => {
    const { items, total, isConnected, isSmsConnected } = await call(calls.list, {
      query: { limit: shownAtMost, search },
    })
    const hasSms = items.some(({ kind }) => kind === 'sms')
    /** Kinds that wait because nothing is set that takes them; an installation without SMS shows no note of a gateway. */
    const unserved: MailKind[] = []
    if (!isConnected) unserved.push('email')
    if (!isSmsConnected && hasSms) unserved.push('sms')
    return { items, total, unserved, search }
  },
  ({ id }) => id,
)

export const retryMail = (id: string): Promise<Fault | undefined> =>
  mails.change(() => call(calls.retry, { params: { id } }))

export const discardMail = (id: string): Promise<Fault | undefined> =>
  mails.change(() => call(calls.discard, { params: { id } }))
