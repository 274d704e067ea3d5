// Reading from core: each answer is kept by its request, shared by all who make the same, and read again by age,
// on demand or after a change.
import type { CallInput } from '@backhaul/contract/define/client'
import type { AnyEndpoint, ResponseOf } from '@backhaul/contract/define/endpoint'
import { Refusal } from '@backhaul/contract/define/errors'
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query'
import { call, describeFault, faultWords } from './api.ts'

/** Core may be on this machine: requests are sent while the browser is offline too; each read sets its own repeats. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
  },
})

interface ReadOptions<T = unknown> {
  /** false: nothing is requested yet. */
  isAsked?: boolean
  /** Interval of repeated reads, unless core refuses them; a function decides it by the last answer. */
  everyMs?: number | undefined | ((answer: T | undefined) => number | undefined)
  /** An answer counts, and is kept, for this long before it is read again. */
  keepMs?: number
  /** The answer to the question before is kept until the new one is there. */
  keepsBefore?: boolean
  /** For the start of a form: read again when it opens, and never while it is being filled in. */
  isStart?: boolean
}

const keyOf = ({ method, path }: AnyEndpoint, input: unknown) => [`${method} ${path}`, input] as const

/** One answer of core; `errorText` is the reason in the user's language. */
export function useRead<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: ReadOptions<ResponseOf<E>> = {},
) {
  return useAnswer(keyOf(endpoint, input), () => call(endpoint, input), options)
}

/** A refused read is requested again when it is next shown, not over and over. */
const isForbidden = (error: unknown): boolean => error instanceof Refusal && error.status === 403

/** Reads a value that is made of several answers; `name` is its own. */
export function useAnswer<T>(
  name: readonly unknown[],
  read: () => Promise<T>,
  { isAsked = true, everyMs, keepMs, keepsBefore, isStart }: ReadOptions<T> = {},
) {
  const { data, error, refetch } = useQuery<unknown>(
    {
      queryKey: name,
      queryFn: read,
      enabled: isAsked,
      refetchInterval({ state }) {
        if (isForbidden(state.error)) return false
        return (typeof everyMs === 'function' ? everyMs(state.data as T | undefined) : everyMs) ?? false
      },
      ...(keepMs !== undefined && { staleTime: keepMs, gcTime: keepMs }),
      ...(keepsBefore && { placeholderData: keepPreviousData }),
      ...(isStart && { gcTime: 0, staleTime: Number.POSITIVE_INFINITY }),
    },
    queries,
  )
  return {
    data: data as T | undefined,
    error,
    errorText: error ? faultWords(describeFault(error)) : undefined,
    again: refetch,
  }
}

/** Reads again the answers of this endpoint on the screen; the others are read when they are next shown. */
export function reread<E extends AnyEndpoint>(endpoint: E, input: CallInput<E>): Promise<void> {
  return readAgain(keyOf(endpoint, input))
}

/** The same for all answers of the endpoint whose input is meant. */
export async function rereadWhere<E extends AnyEndpoint>(
  endpoint: E,
  isMeant: (input: CallInput<E>) => boolean,
): Promise<void> {
  const [name] = keyOf(endpoint, undefined)
  const filter = {
    predicate: ({ queryKey: [of, input] }: { queryKey: readonly unknown[] }) =>
      of === name && isMeant(input as CallInput<E>),
  }
  await queries.cancelQueries(filter)
  await queries.invalidateQueries(filter)
}

/** The same for all that was ever requested. */
export const rereadAll = (): Promise<void> => queries.invalidateQueries()

/** An answer that was requested before does not count any more. */
export async function readAgain(queryKey: readonly unknown[]): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}

/** The answer of a change replaces what was read before it. */
export async function keepAnswer<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  answer: ResponseOf<E>,
): Promise<void> {
  const queryKey = keyOf(endpoint, input)
  await queries.cancelQueries({ queryKey })
  queries.setQueryData<unknown>(queryKey, answer)
}
