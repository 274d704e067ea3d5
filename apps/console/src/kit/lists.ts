// A list that the console reads whole, page by page, when its screen opens and again after each change.
import type { Page } from '@backhaul/contract/define/answers'
import { useEffect } from 'react'
import { describeFault, type Fault, faultWords } from '../doors/api.ts'
import { createKeyedStore, type KeyedStore } from '../ui/keyed-store.ts'
import { createTurns } from '../ui/turns.ts'
import { createValue, useValue, type Value } from '../ui/value.ts'

export interface WholeList<T> {
  store: KeyedStore<T>
  state: Value<{ state: 'loading' | 'ready' | 'error'; text?: string }>
  load(): Promise<void>
  /** Runs a change and reads the list anew; answers what went wrong, if anything did. */
  change(run: () => Promise<unknown>): Promise<Fault | undefined>
}

const pageSize = 500

/** The things of one customer, all in one answer. */
export interface CustomerList<T> extends WholeList<T> {
  /** Shows those of another customer, or the same anew. */
  show(inventory: string): Promise<void>
  /** Whose things are shown. */
  inventory(): string
}

/** An answer about a customer who is not shown any more is passed over. */
export function createCustomerList<T>(
  read: (inventory: string) => Promise<T[]>,
  idOf: (item: T) => string,
): CustomerList<T> {
  let shown = ''
  async function ofShown(): Promise<Page<T>> {
    const asked = shown
    const items = await read(asked)
    if (asked !== shown) return await ofShown()
    return wholePage(items)
  }
  const list = createWholeList<T>(ofShown, idOf)
  return {
    ...list,
    inventory: () => shown,
    async show(inventory) {
      if (inventory !== shown) {
        list.store.replaceAll([])
        list.store.flush()
        list.state.set({ state: 'loading' })
      }
      shown = inventory
      await list.load()
    },
  }
}

/** What core answers without pages. */
export function wholePage<T>(items: T[]): Page<T> {
  return { items, total: items.length, offset: 0, limit: items.length }
}

/** Every item of a list that core answers in pages. */
export async function readAll<T>(
  read: (query: { limit: number; offset: number }) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { items, total } = await read({ limit: pageSize, offset: all.length })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** `read` answers one page, `idOf` under which name an item is kept. */
export function createWholeList<T>(
  read: (query: { limit: number; offset: number }) => Promise<Page<T>>,
  idOf: (item: T) => string,
): WholeList<T> {
  const store = createKeyedStore<T>()
  const state: WholeList<T>['state'] = createValue({ state: 'loading' })
  const begin = createTurns()

  async function load(): Promise<void> {
    const counts = begin()
    try {
      const all = await readAll(read)
      if (!counts()) return
      store.replaceAll(all.map((item) => [idOf(item), item]))
      store.flush()
      state.set({ state: 'ready' })
    } catch (error) {
      if (counts()) state.set({ state: 'error', text: faultWords(describeFault(error)) })
    }
  }

  return {
    store,
    state,
    load,
    async change(run) {
      try {
        await run()
        return undefined
      } catch (error) {
        return describeFault(error)
      } finally {
        await load()
      }
    },
  }
}

/** Reads the list when its screen opens; answers what the screen hands to its grid. */
export function useWholeList<T>(list: WholeList<T>) {
  const { state, text: errorText } = useValue(list.state)
  const onRetry = (): void => void list.load()
  useEffect(() => void list.load(), [list])
  return { store: list.store, state, errorText, onRetry }
}
