// The log of changes: core searches it, the screen holds the newest lines that match and more when asked.
import { api } from '@backhaul/contract/api/api'
import type { AuditEntry, AuditFilter } from '@backhaul/contract/nouns/audit'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { download } from '../../ui/grid/export-list.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

interface ListState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  total: number
}

const linesAtOnce = 500

export const lineStore = createKeyedStore<AuditEntry>()
export const linesState = createValue<ListState>({ state: 'loading', total: 0 })

/** What a line may be about: every call that changes something. */
export const changes: readonly string[] = Object.entries(api).flatMap(([noun, calls]) =>
  Object.entries(calls as Record<string, { method: string }>)
    .filter(([, { method }]) => method !== 'GET')
    .map(([name]) => `${noun}.${name}`),
)

/** As the screen holds it: days as the browser's date fields give them, '' where nothing is asked for. */
export interface Wanted {
  search: string
  username: string
  action: string
  from: string
  until: string
}

export const anything: Wanted = { search: '', username: '', action: '', from: '', until: '' }

/** Days are those of the person's clock; the last one is included. */
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

let newest = 0

/** The newest lines that match, in place of those held or, with `more`, after them. */
export async function loadLines(filter: AuditFilter, more = false): Promise<void> {
  newest += 1
  const own = newest
  const offset = more ? lineStore.size() : 0
  try {
    const { items, total } = await call(api.audit.list, { query: { ...filter, limit: linesAtOnce, offset } })
    if (own !== newest) return
    const held = more ? lineStore.ids().flatMap((id) => lineStore.get(id) ?? []) : []
    lineStore.replaceAll([...held, ...items].map((line) => [line.id, line] as const))
    lineStore.flush()
    linesState.set({ state: 'ready', total })
  } catch (error) {
    if (own !== newest) return
    linesState.set({ ...linesState.get(), state: 'error', errorText: faultWords(describeFault(error)) })
  }
}

/** Every line that matches, not only those held. */
export async function exportLines(filter: AuditFilter): Promise<Fault | undefined> {
  try {
    download('audit.csv', await call(api.audit.export, { query: filter }))
  } catch (error) {
    return describeFault(error)
  }
}
