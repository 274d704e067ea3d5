import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReadStore } from '../keyed-store.ts'
import { sameItems } from '../same-items.ts'
import { holdOrder, orderRows, type RowOrder } from './row-order.ts'

const liveReorderMs = 1000

interface RowOrderOptions<T> {
  store: ReadStore<T>
  filter: ((item: T) => boolean) | undefined
  compare: (a: T, b: T) => number
  /** True while a user may be aiming at a row. */
  held: boolean
  /** The query of the store's answer, where core searches: another one is a request of the user too. */
  asked?: unknown
}

/** All items; those shown come first and in their order, since what is nearly sorted takes few comparisons to sort. */
function* entries<T>(store: ReadStore<T>, shown: readonly string[]): Iterable<readonly [string, T]> {
  const isShown = new Set(shown)
  for (const id of shown) {
    const item = store.get(id)
    if (item !== undefined) yield [id, item]
  }
  for (const id of store.ids()) if (!isShown.has(id)) yield [id, store.get(id) as T]
}

/**
 * The ids to show. Acts of the user (filter, sort) count at once; changes of the fleet count once a second,
 * and only while the user is not aiming.
 */
export function useRowOrder<T>({ store, filter, compare, held, asked }: RowOrderOptions<T>) {
  const [order, setOrder] = useState<RowOrder>(() => ({
    ids: orderRows(entries(store, []), filter, compare),
    moved: 0,
  }))
  const latest = useRef({ filter, compare, held, ids: order.ids })
  latest.current = { filter, compare, held, ids: order.ids }

  const freshOrder = useCallback(() => {
    const { ids, filter, compare } = latest.current
    return orderRows(entries(store, ids), filter, compare)
  }, [store])

  const settle = useCallback(() => {
    const fresh = freshOrder()
    setOrder((shown) => (shown.moved === 0 && sameItems(shown.ids, fresh) ? shown : { ids: fresh, moved: 0 }))
  }, [freshOrder])

  const follow = useCallback(() => {
    if (!latest.current.held) return settle()
    const fresh = freshOrder()
    setOrder((shown) => {
      if (shown.ids.length === 0) return { ids: fresh, moved: 0 }
      const next = holdOrder(shown.ids, fresh, (id) => store.get(id) !== undefined)
      return next.moved === shown.moved && next.ids === shown.ids ? shown : next
    })
  }, [store, freshOrder, settle])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new filter, sort or search is the reason to settle
  useEffect(settle, [settle, filter, compare, asked])
  const wasHeld = useRef(held)
  useEffect(() => {
    if (wasHeld.current && !held) settle()
    wasHeld.current = held
  }, [held, settle])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let size = store.size()
    const run = () => {
      timer = undefined
      size = store.size()
      follow()
    }
    const stop = store.subscribeList(() => {
      const membership = store.size() !== size
      if (membership) {
        clearTimeout(timer)
        run()
      } else timer ??= setTimeout(run, liveReorderMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [store, follow])

  return { ids: order.ids, moved: order.moved, settle }
}
