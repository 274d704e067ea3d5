// A usage report as the screen shows it: the rows of the grid, and the same period day by day for the chart.
import { reports as calls } from '@backhaul/contract/api/reports'
import type { UsageBy, UsageReport, UsageRow } from '@backhaul/contract/nouns/reports'
import { call, describeFault, faultWords } from '../../doors/api.ts'
import { loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

export interface ReportWish {
  inventory: string
  from: string
  to: string
  by: UsageBy
  timeZone: string
}

interface ReportState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  report?: UsageReport
  days: readonly UsageRow[]
}

export const usageStore = createKeyedStore<UsageRow>()
export const reportState = createValue<ReportState>({ state: 'loading', days: [] })

/** Without the names there is no customer to report of. */
export async function loadReportInventories(): Promise<void> {
  try {
    await loadInventoryNames()
  } catch (error) {
    reportState.set({ ...reportState.get(), state: 'error', errorText: faultWords(describeFault(error)) })
  }
}

let newest = 0

export async function loadReport({ inventory, ...query }: ReportWish): Promise<void> {
  newest += 1
  const own = newest
  const ask = (by: UsageBy) => call(calls.usage, { params: { id: inventory }, query: { ...query, by } })
  try {
    const [byDay, report] = await Promise.all([ask('day'), query.by === 'day' ? undefined : ask(query.by)])
    if (own !== newest) return
    const shown = report ?? byDay
    usageStore.replaceAll(shown.items.map((row) => [row.id ?? '', row]))
    usageStore.flush()
    reportState.set({ state: 'ready', report: shown, days: byDay.items })
  } catch (error) {
    if (own !== newest) return
    reportState.set({ ...reportState.get(), state: 'error', errorText: faultWords(describeFault(error)) })
  }
}
