// The histories of devices in groups and inventories, which core searches.
import { deviceHistories as calls } from '@backhaul/contract/api/device-histories'
import type { HistoryAction, HistoryKind } from '@backhaul/contract/nouns/device-histories'
import { call } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

const shownAtOnce = 500

/** `pages` are those of the answer that are shown. */
const historyOf = (name: string, endpoint: typeof calls.ofGroups) =>
  createList(
    name,
    (search: string, action: HistoryAction | undefined, pages: number) =>
      call(endpoint, {
        query: { search, limit: shownAtOnce * pages, ...(action && { action }) },
      }),
    ({ id }) => id,
  )

export const histories = {
  group: historyOf('history.group', calls.ofGroups),
  inventory: historyOf('history.inventory', calls.ofInventories as unknown as typeof calls.ofGroups),
} as const satisfies Record<HistoryKind, unknown>
