// Selects and orders the shown rows, and holds that order still while the user is aiming at a row.
import { sameItems } from '../same-items.ts'

export interface RowOrder {
  readonly ids: readonly string[]
  /** Number of rows that would move, appear or go if the order were let loose now. */
  readonly moved: number
}

export function orderRows<T>(
  items: Iterable<readonly [string, T]>,
  filter: ((item: T) => boolean) | undefined,
  compare: (a: T, b: T) => number,
): string[] {
  const kept: (readonly [string, T])[] = []
  for (const entry of items) if (!filter || filter(entry[1])) kept.push(entry)
  kept.sort((a, b) => compare(a[1], b[1]) || (a[0] < b[0] ? -1 : 1))
  return kept.map((entry) => entry[0])
}

/**
 * Keeps the shown order although the live order is `fresh`. Rows whose item no longer exists go, rows that are
 * new come last; nothing changes place.
 */
export function holdOrder(
  shown: readonly string[],
  fresh: readonly string[],
  exists: (id: string) => boolean,
): RowOrder {
  const known = new Set(shown)
  const wanted = new Set(fresh)
  const stay = shown.filter(exists)
  const arrivals = fresh.filter((id) => !known.has(id))
  const leaving = stay.filter((id) => !wanted.has(id)).length
  const place = new Map(fresh.map((id, index) => [id, index]))
  const places = stay.flatMap((id) => place.get(id) ?? [])
  const unmoved = longestRising(places)
  const ids = [...stay, ...arrivals]
  return { ids: sameItems(ids, shown) ? shown : ids, moved: places.length - unmoved + leaving }
}

/** Length of the longest rising subsequence: the rows that need not move when the others do. */
function longestRising(numbers: readonly number[]): number {
  const tails: number[] = []
  for (const n of numbers) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (tails[middle]! < n) low = middle + 1
      else high = middle
    }
    tails[low] = n
  }
  return tails.length
}
