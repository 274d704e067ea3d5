// A list that a screen reads from core: when it opens, by age, and again after each change.
import type { Page } from '@backhaul/contract/define/answers'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { describeFault, type Fault, faultWords } from '../doors/api.ts'
import { queries, readAgain } from '../doors/reads.ts'
import { createKeyedStore, type KeyedStore } from '../ui/keyed-store.ts'

/** Core's answer, with any fields in addition to the items. */
interface Answer {
  items: readonly unknown[]
}
type ItemOf<A extends Answer> = A['items'][number]
export type Items<T> = { items: readonly T[] }

export interface List<A extends Answer, Asked extends readonly unknown[] = []> {
  keyOf(asked: Asked): readonly unknown[]
  read(...asked: Asked): Promise<A>
  idOf(item: ItemOf<A>): string
  /** Store in which live values are put into the items as well. */
  store: KeyedStore<ItemOf<A>> | undefined
  /** Reads it again where it is on the screen. */
  refresh(): Promise<void>
  /** Runs a change and reads the list again; answers what went wrong, if anything did. */
  change(run: () => Promise<unknown>): Promise<Fault | undefined>
}

const pageSize = 500

/** Every item of a list that core answers in pages. */
export async function readAll<T>(
  read: (query: { limit: number; offset: number }) => Promise<Page<T>>,
): Promise<Items<T>> {
  const all: T[] = []
  for (;;) {
    const { items, total } = await read({ limit: pageSize, offset: all.length })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return { items: all }
  }
}

/** `name` is the list's own, `idOf` the key of an item. */
export function createList<A extends Answer, Asked extends readonly unknown[] = []>(
  name: string,
  read: (...asked: Asked) => Promise<A>,
  idOf: (item: ItemOf<A>) => string,
  store?: KeyedStore<ItemOf<A>>,
): List<A, Asked> {
  const refresh = () => readAgain(['list', name])
  return {
    keyOf: (asked) => ['list', name, ...asked],
    read,
    idOf,
    store,
    refresh,
    async change(run) {
      try {
        await run()
      } catch (error) {
        // A list that cannot be read either does not hold back the fault.
        void refresh()
        return describeFault(error)
      }
      await refresh()
      return undefined
    },
  }
}

interface ListOptions {
  /** false: nothing is requested yet. */
  isAsked?: boolean
  everyMs?: number | undefined
  /** The answer to the question before is kept until the new one is there. */
  keepsBefore?: boolean
}

/** The list for what is requested, as a screen hands it to its grid. */
export function useList<A extends Answer, Asked extends readonly unknown[]>(
  list: List<A, Asked>,
  asked: Asked,
  { isAsked = true, everyMs, keepsBefore = false }: ListOptions = {},
) {
  const query = useQuery<Answer>(
    {
      queryKey: list.keyOf(asked),
      queryFn: () => list.read(...asked),
      enabled: isAsked,
      refetchInterval: everyMs ?? false,
      ...(keepsBefore && { placeholderData: keepPreviousData }),
    },
    queries,
  )
  const { error, isPending, isPlaceholderData } = query
  const answer = query.data as A | undefined
  const { idOf } = list
  const [store] = useState(() => filled<ItemOf<A>>(list.store ?? createKeyedStore(), answer?.items, idOf))
  useLayoutEffect(() => void filled<ItemOf<A>>(store, answer?.items, idOf), [store, answer, idOf])
  return {
    store,
    items: (answer?.items ?? none) as readonly ItemOf<A>[],
    answer,
    /** The answer is still that to the request before. */
    isBefore: isPlaceholderData,
    state: error ? ('error' as const) : isPending ? ('loading' as const) : ('ready' as const),
    errorText: error ? faultWords(describeFault(error)) : undefined,
    onRetry: (): void => void query.refetch(),
  }
}

const none: readonly never[] = []

function filled<T>(store: KeyedStore<T>, items: readonly T[] | undefined, idOf: (item: T) => string) {
  store.replaceAll((items ?? none).map((item) => [idOf(item), item]))
  store.flush()
  return store
}

/** Result of `useList` for a screen. */
export type ShownList<T> = {
  store: KeyedStore<T>
  state: 'loading' | 'ready' | 'error'
  errorText: string | undefined
  onRetry: () => void
}

const typingMs = 250

/** The search text, once the user has stopped typing. */
export function useTyped(text: string): string {
  const [typed] = useDebouncedValue(text.trim(), typingMs)
  return typed
}

/** A list in which core searches for what is typed; the items that are held are kept until the others are there. */
export function useFoundList<A extends Answer, More extends readonly unknown[] = []>(
  list: List<A, [search: string, ...more: More]>,
  text: string,
  more: More,
  options: Pick<ListOptions, 'isAsked' | 'everyMs'> = {},
) {
  return useList(list, [useTyped(text), ...more], { ...options, keepsBefore: true })
}

/** A list that is searched where it is shown, as long as all of it is here; in a longer one core searches for what is typed. */
export function useSearchedList<A extends Answer & { total: number }>(
  list: List<A, [search: string]>,
  text: string,
  shownAtMost: number,
) {
  const everything: [string] = ['']
  const { data } = useQuery<Answer>(
    {
      queryKey: list.keyOf(everything),
      queryFn: () => list.read(...everything),
    },
    queries,
  )
  const isWhole = ((data as A | undefined)?.total ?? 0) <= shownAtMost
  return useFoundList(list, isWhole ? '' : text, [])
}
