// A live collection outside React: items by id, one application of all changes per frame, and news only to
// readers of a changed item.
import { useCallback, useSyncExternalStore } from 'react'

const removed = Symbol('removed')

/** The part of a store that its readers need. */
export type ReadStore<T> = Pick<
  KeyedStore<T>,
  'get' | 'ids' | 'size' | 'version' | 'subscribeItem' | 'subscribeList'
>

export interface KeyedStore<T> {
  /** The item as last applied, as on the screen. */
  get(id: string): T | undefined
  /** The item with waiting changes included, as a base for the next one. */
  latest(id: string): T | undefined
  ids(): readonly string[]
  size(): number
  /** Grows by one with each application that changed anything. */
  version(): number
  put(id: string, item: T): void
  remove(id: string): void
  /** Everything else goes, these come; items that are the same object cost nothing. */
  replaceAll(items: Iterable<readonly [string, T]>): void
  subscribeItem(id: string, listener: () => void): () => void
  subscribeList(listener: () => void): () => void
  /** Applies what waits, at once. */
  flush(): void
}

/** A hidden page gets no animation frames, yet its data must not wait for the operator to come back. */
function onNextFrame(run: () => void): void {
  if (typeof document === 'undefined' || document.hidden) setTimeout(run, 500)
  else requestAnimationFrame(run)
}

export function createKeyedStore<T>(schedule: (run: () => void) => void = onNextFrame): KeyedStore<T> {
  const items = new Map<string, T>()
  const waiting = new Map<string, T | typeof removed>()
  const itemListeners = new Map<string, Set<() => void>>()
  const listListeners = new Set<() => void>()
  let ids: readonly string[] = []
  let version = 0
  let scheduled = false

  function later(): void {
    if (scheduled) return
    scheduled = true
    schedule(flush)
  }

  function applyOne(id: string, next: T | typeof removed): 'same' | 'changed' | 'membership' {
    if (next === removed) return items.delete(id) ? 'membership' : 'same'
    const had = items.has(id)
    if (had && items.get(id) === next) return 'same'
    items.set(id, next)
    return had ? 'changed' : 'membership'
  }

  function flush(): void {
    scheduled = false
    if (waiting.size === 0) return
    const touched: string[] = []
    let membership = false
    for (const [id, next] of waiting) {
      const outcome = applyOne(id, next)
      if (outcome === 'same') continue
      touched.push(id)
      membership ||= outcome === 'membership'
    }
    waiting.clear()
    if (touched.length === 0) return
    if (membership) ids = [...items.keys()]
    version += 1
    for (const id of touched) for (const listener of itemListeners.get(id) ?? []) listener()
    for (const listener of listListeners) listener()
  }

  return {
    get: (id) => items.get(id),
    latest(id) {
      const next = waiting.get(id)
      if (next === removed) return undefined
      return next ?? items.get(id)
    },
    ids: () => ids,
    size: () => items.size,
    version: () => version,
    put(id, item) {
      waiting.set(id, item)
      later()
    },
    remove(id) {
      waiting.set(id, removed)
      later()
    },
    replaceAll(entries) {
      for (const id of items.keys()) waiting.set(id, removed)
      for (const id of [...waiting.keys()]) if (!items.has(id)) waiting.delete(id)
      for (const [id, item] of entries) waiting.set(id, item)
      later()
    },
    subscribeItem(id, listener) {
      const set = itemListeners.get(id) ?? new Set()
      itemListeners.set(id, set)
      set.add(listener)
      return () => {
        set.delete(listener)
        if (set.size === 0) itemListeners.delete(id)
      }
    },
    subscribeList(listener) {
      listListeners.add(listener)
      return () => listListeners.delete(listener)
    },
    flush,
  }
}

/** Two stores read as one; no id is in both. */
export function joinedStore<A, B>(first: ReadStore<A>, second: ReadStore<B>): ReadStore<A | B> {
  const both = (subscribe: (store: ReadStore<A> | ReadStore<B>) => () => void) => {
    const stops = [subscribe(first), subscribe(second)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  return {
    get: (id) => first.get(id) ?? second.get(id),
    ids: () => [...first.ids(), ...second.ids()],
    size: () => first.size() + second.size(),
    version: () => first.version() + second.version(),
    subscribeItem: (id, listener) => both((store) => store.subscribeItem(id, listener)),
    subscribeList: (listener) => both((store) => store.subscribeList(listener)),
  }
}

/** One item; the component renders again only when this item changed. */
export function useItem<T>(store: ReadStore<T>, id: string | null | undefined): T | undefined {
  const subscribe = useCallback(
    (listener: () => void) => (id == null ? () => {} : store.subscribeItem(id, listener)),
    [store, id],
  )
  return useSyncExternalStore(subscribe, () => (id == null ? undefined : store.get(id)))
}

/** The version of the whole list: for counters and totals, which have to read every item anyway. */
export function useListVersion<T>(store: ReadStore<T>): number {
  return useSyncExternalStore(store.subscribeList, store.version)
}

/** Returns whether the item is there. */
export function useHasItem<T>(store: ReadStore<T>, id: string | null): boolean {
  const subscribe = useCallback(
    (listener: () => void) => (id === null ? () => {} : store.subscribeItem(id, listener)),
    [store, id],
  )
  return useSyncExternalStore(subscribe, () => id !== null && store.get(id) !== undefined)
}

/** Returns whether the store is empty. */
export function useIsEmpty<T>(store: ReadStore<T>): boolean {
  return useSyncExternalStore(store.subscribeList, () => store.size() === 0)
}
