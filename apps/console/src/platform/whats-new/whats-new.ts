// Notes on what is new: those that the user has not seen yet, and all of them for their authors.
import { whatsNew as calls } from '@backhaul/contract/api/whats-new'
import { type NewNewsNote, type NewsNote, unreadNotes } from '@backhaul/contract/nouns/whats-new'
import { call, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { preferences, savePreferencesNow } from '../../session/preferences/preferences.ts'
import { createValue } from '../../ui/value.ts'

/** Shown until they are dismissed. */
export const unseenNotes = createValue<readonly NewsNote[]>([])

/** Once after the sign-in; notes that cannot be read are shown the next time. */
export async function loadUnseenNotes(): Promise<void> {
  const notes = await call(calls.current, {}).catch(() => [])
  unseenNotes.set(unreadNotes(notes, preferences.get().whatsNewSeenOn))
}

/** The newest note comes first, and by it the others are known as seen. */
export function putNotesAway(): void {
  const [newest] = unseenNotes.get()
  if (newest) savePreferencesNow({ whatsNewSeenOn: newest.publishedOn })
  unseenNotes.set([])
}

export const notes = createList(
  'news',
  () => readAll((query) => call(calls.list, { query })),
  ({ id }) => id,
)

export const saveNote = (id: string | null, request: NewNewsNote): Promise<Fault | undefined> =>
  notes.change(() =>
    id === null
      ? call(calls.create, { body: request })
      : call(calls.change, { params: { id }, body: request }),
  )

export const removeNote = (id: string): Promise<Fault | undefined> =>
  notes.change(() => call(calls.remove, { params: { id } }))
