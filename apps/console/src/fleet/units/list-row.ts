// Rows of the unit list: the units of the group, and its servers.
import type { ServerRow } from '../servers/servers.ts'
import { byName, byStatusThenName } from './unit-presentation.ts'
import type { LiveUnit } from './units-live.ts'

export type ListRow = LiveUnit | ServerRow

export const isServer = <U extends object>(row: U | ServerRow): row is ServerRow => 'kind' in row

/** Servers come after the units, as a shift watches units. */
export function byKindThenStatus(a: ListRow, b: ListRow): number {
  if (isServer(a)) return isServer(b) ? byName(a, b) : 1
  return isServer(b) ? -1 : byStatusThenName(a, b)
}
