// The log of changes: core searches it, the screen holds the newest lines that match and more on request.
import { api } from '@backhaul/contract/api/api'
import { type AuditEntry, type AuditFilter, actionsByCore } from '@backhaul/contract/nouns/audit'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'
import { download } from '../../ui/grid/export-list.ts'

const linesAtOnce = 500

/** Subjects of a line: every call that changes something, and the acts of core itself. */
export const changes: readonly string[] = [
  ...Object.entries(api).flatMap(([noun, calls]) =>
    Object.entries(calls as Record<string, { method: string }>)
      .filter(([, { method }]) => method !== 'GET')
      .map(([name]) => `${noun}.${name}`),
  ),
  ...actionsByCore,
]

/** As the screen holds it: days as the browser's date fields give them, '' where nothing is requested. */
export interface Wanted {
  search: string
  username: string
  action: string
  from: string
  until: string
}

export const anything: Wanted = { search: '', username: '', action: '', from: '', until: '' }

/** Days are those of the user's clock; the last one is included. */
export function filterOf({ search, username, action, from, until }: Wanted): AuditFilter {
  const given = { search: search.trim(), username: username.trim(), action }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')),
    ...(from !== '' && { from: startOf(from, 0) }),
    ...(until !== '' && { until: startOf(until, 1) }),
  }
}

function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The newest lines that match, this many pages of them. */
export const lines = createList(
  'audit',
  async (filter: AuditFilter, pages: number) => {
    const items: AuditEntry[] = []
    let total = 0
    for (let page = 0; page < pages; page += 1) {
      const query = { ...filter, limit: linesAtOnce, offset: page * linesAtOnce }
      const answer = await call(api.audit.list, { query })
      items.push(...answer.items)
      total = answer.total
    }
    return { items, total }
  },
  ({ id }) => id,
)

/** Every line that matches, not only those held. */
export async function exportLines(filter: AuditFilter): Promise<Fault | undefined> {
  try {
    download('audit.csv', await call(api.audit.export, { query: filter }))
  } catch (error) {
    return describeFault(error)
  }
}
