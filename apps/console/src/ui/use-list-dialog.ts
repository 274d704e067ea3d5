// The dialog over a list: the form of an item or of a new one, or a question about one.
import { useState } from 'react'
import { type KeyedStore, useItem } from './keyed-store.ts'

/** An edit without an item makes a new one. */
type Over<T, Question extends string> = { kind: 'edit'; item: T | null } | { kind: Question; item: T }

/** The item is the one of the store as it is now; the dialog closes when its item has gone. */
export function useListDialog<T, Question extends string = 'delete'>(store: KeyedStore<T>) {
  const [asked, setAsked] = useState<{ kind: 'edit' | Question; id: string | null } | null>(null)
  const item = useItem(store, asked?.id)
  const isThere = asked !== null && (asked.id === null || item !== undefined)
  return {
    over: isThere ? ({ kind: asked.kind, item: item ?? null } as Over<T, Question>) : null,
    add: () => setAsked({ kind: 'edit', id: null }),
    open: (kind: 'edit' | Question, id: string) => setAsked({ kind, id }),
    close: () => setAsked(null),
  }
}
