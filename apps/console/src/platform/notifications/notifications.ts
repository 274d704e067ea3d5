// System messages that concern the user now, and which of them they have read.
import { client } from '@backhaul/contract/api/client'
import { notifications as calls } from '@backhaul/contract/api/notifications'
import {
  type ClientNotification,
  type NewNotification,
  occasionOf,
} from '@backhaul/contract/nouns/notifications'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { preferences, setPreferences, usePreference } from '../../session/preferences/preferences.ts'
import { createValue, useValue } from '../../ui/value.ts'

export const systemMessages = createValue<readonly ClientNotification[]>([])

/** If they cannot be read, those from before are kept until the next time. */
export async function loadSystemMessages(): Promise<void> {
  const messages = await call(client.notifications, {}).catch(() => undefined)
  if (messages) systemMessages.set(messages)
}

/** Messages that were brought up again since they were read, or never read; none of them has expired. */
export function unreadAmong(
  messages: readonly ClientNotification[],
  read: Readonly<Record<string, number>>,
  nowMs: number,
): ClientNotification[] {
  return messages.filter(
    (one) => Date.parse(one.expiration) > nowMs && (read[one.id] ?? 0) < occasionOf(one, nowMs),
  )
}

export function useUnread(): ClientNotification[] {
  const messages = useValue(systemMessages)
  const read = usePreference((all) => all.readMessages)
  return unreadAmong(messages, read, Date.now())
}

/** Remembered with the user, and forgotten with the message. */
export function markRead(messages: readonly ClientNotification[]): void {
  const nowMs = Date.now()
  const there = new Set(systemMessages.get().map(({ id }) => id))
  const kept = Object.entries(preferences.get().readMessages).filter(([id]) => there.has(id))
  const read = messages.map((one): [string, number] => [one.id, occasionOf(one, nowMs)])
  setPreferences({ readMessages: Object.fromEntries([...kept, ...read]) })
}

export const writtenMessages = createList(
  'writtenMessages',
  () => readAll((query) => call(calls.list, { query })),
  ({ id }) => id,
)

/** The own console shows at once what was written; the others with their next refresh. */
async function written(run: () => Promise<unknown>): Promise<Fault | undefined> {
  const fault = await writtenMessages.change(run)
  await loadSystemMessages()
  return fault
}

export const saveMessage = (id: string | null, request: NewNotification): Promise<Fault | undefined> =>
  written(() =>
    id === null
      ? call(calls.create, { body: request })
      : call(calls.change, { params: { id }, body: request }),
  )

export const removeMessage = (id: string): Promise<Fault | undefined> =>
  written(() => call(calls.remove, { params: { id } }))
