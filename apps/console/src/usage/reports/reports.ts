// A usage report as the screen shows it: the rows of the grid, and the same period day by day for the chart.
import { reports as calls } from '@backhaul/contract/api/reports'
import type { UsageBy } from '@backhaul/contract/nouns/reports'
import { call } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

interface Span {
  from: string
  to: string
  timeZone: string
}

/** The rows by their request, with the whole answer and its days. */
export const usage = createList(
  'usage',
  async (inventory: string, by: UsageBy, span: Span) => {
    const ask = (wanted: UsageBy) =>
      call(calls.usage, { params: { id: inventory }, query: { ...span, by: wanted } })
    const [byDay, other] = await Promise.all([ask('day'), by === 'day' ? undefined : ask(by)])
    const report = other ?? byDay
    return { items: report.items, report, days: byDay.items }
  },
  ({ id }) => id ?? '',
)
