// Pages of lists: both styles of a query become one filter, one order and one window (GAP-API-03).
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { InvalidRequest } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { contains } from './dialect.ts'
import type { Queries } from './schema.ts'

export interface Window {
  limit: number
  offset: number
}

/** The query of a list; `Key` are the fields that it can be searched and sorted by. */
export interface Paging<Key extends string> extends Window {
  search: { key: Key; text: string } | undefined
  sort: { key: Key; direction: 'asc' | 'desc' }
}

/** The first key is the order when none is requested. Throws InvalidRequest for an unknown field. */
export function pagingOf<Key extends string>(query: PageQuery, keys: readonly [Key, ...Key[]]): Paging<Key> {
  const known = (field: string, key: string): Key => {
    const found = keys.find((one) => one === key)
    if (found === undefined) {
      throw InvalidRequest.at(field, because('field.oneOf', { values: keys.join(', ') }))
    }
    return found
  }
  const [shortKey, shortDirection] = query.sort?.split(',') ?? []
  const direction = (query.sortDir ?? shortDirection) === 'desc' ? 'desc' : 'asc'
  const sortKey = query.sortBy ?? shortKey
  const text = query.searchValue ?? query.search ?? ''
  const searchKey = query.searchValue === undefined ? 'name' : query.searchKey
  return {
    limit: query.limit,
    offset: query.offset,
    search: text === '' ? undefined : { key: known('searchKey', searchKey), text },
    sort: {
      key: sortKey === undefined ? keys[0] : known(query.sortBy === undefined ? 'sort' : 'sortBy', sortKey),
      direction,
    },
  }
}

/** True where the field that is searched in contains the text, and everywhere when nothing is searched for. */
export const isFound = <Key extends string>(
  db: Queries,
  search: Paging<Key>['search'],
  column: (key: Key) => Expression<string>,
): RawBuilder<boolean> => (search ? contains(db, column(search.key), search.text) : sql<boolean>`true`)

/** The total number of rows, regardless of the page that a query reads. */
export async function countOf<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
): Promise<number> {
  const { count } = await rows
    .clearSelect()
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .$castTo<{ count: number | string }>()
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Direction = 'asc' | 'desc'

/** A way to read a page so that the last one costs as little as the first. */
export interface Reading extends Window {
  /** The direction to read a column in that the list has in the other one or in this. */
  read(direction: Direction): Direction
  /** The rows as the list has them. */
  inOrder<Row>(rows: Row[]): Row[]
}

/** A database skips every row before a page: one of the second half is read from the end and reversed. */
export function fromNearerEnd({ limit, offset }: Window, total: number): Reading {
  const left = Math.max(0, total - offset)
  // Nothing is left: a search without a match would read the whole list for it.
  if (offset <= left && left > 0)
    return { limit, offset, read: (direction) => direction, inOrder: (rows) => rows }
  const count = Math.min(limit, left)
  return {
    limit: count,
    offset: left - count,
    read: (direction) => (direction === 'asc' ? 'desc' : 'asc'),
    inOrder: (rows) => rows.toReversed(),
  }
}

/** A page of what is in memory, by the rules of the lists in the database: without regard to case, by code point. */
export function pageOf<Key extends string, Item extends Readonly<Record<Key, string>>>(
  all: readonly Item[],
  { search, sort, limit, offset }: Paging<Key>,
): Page<Item> {
  const text = search?.text.toLowerCase() ?? ''
  const found = all.filter((item) => !search || item[search.key].toLowerCase().includes(text))
  const sign = sort.direction === 'desc' ? -1 : 1
  const word = (item: Item) => item[sort.key].toLowerCase()
  found.sort((one, other) => (word(one) < word(other) ? -sign : word(one) > word(other) ? sign : 0))
  return { items: found.slice(offset, offset + limit), total: found.length, offset, limit }
}
