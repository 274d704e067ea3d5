// Pages of lists: both styles of asking become one filter, one order and one window (GAP-API-03).
import type { PageQuery } from '@backhaul/contract/define/answers'
import { InvalidRequest } from '@backhaul/contract/define/errors'
import { texts } from '@backhaul/contract/define/texts'

export interface Window {
  limit: number
  offset: number
}

/** What a list is asked for; `Key` are the fields that it can be searched and sorted by. */
export interface Paging<Key extends string> extends Window {
  search: { key: Key; text: string } | undefined
  sort: { key: Key; direction: 'asc' | 'desc' }
}

/** The first key is the order when none is asked for. Throws InvalidRequest for a field that the list does not know. */
export function pagingOf<Key extends string>(query: PageQuery, keys: readonly [Key, ...Key[]]): Paging<Key> {
  const known = (field: string, key: string): Key => {
    const found = keys.find((one) => one === key)
    if (found === undefined) throw new InvalidRequest([{ field, message: texts.invalid }])
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
