// The periods of a report, as days of a calendar; their moments depend on the time zone.
import { dayBegins, daysAfter } from '@backhaul/contract/nouns/time-zones'

export const periodNames = [
  'today',
  'yesterday',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'lastThreeMonths',
  'chosen',
] as const
export type PeriodName = (typeof periodNames)[number]

/** Both days belong to it; as `2026-11-21`. */
export interface Period {
  first: string
  last: string
}

const noonOf = (date: string) => new Date(`${date}T12:00:00Z`)

/** Weeks begin on Monday. */
const mondayOf = (date: string) => daysAfter(date, -((noonOf(date).getUTCDay() + 6) % 7))

function monthOf(date: string, monthsAgo: number): Period {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const day = (months: number, ofMonth: number) =>
    new Date(Date.UTC(year, month - 1 - months, ofMonth)).toISOString().slice(0, 10)
  return { first: day(monthsAgo, 1), last: day(monthsAgo - 1, 0) }
}

/** The days of a named period, seen from `today`. */
export function periodOf(name: Exclude<PeriodName, 'chosen'>, today: string): Period {
  const monday = mondayOf(today)
  const periods: Record<typeof name, Period> = {
    today: { first: today, last: today },
    yesterday: { first: daysAfter(today, -1), last: daysAfter(today, -1) },
    thisWeek: { first: monday, last: daysAfter(monday, 6) },
    lastWeek: { first: daysAfter(monday, -7), last: daysAfter(monday, -1) },
    thisMonth: monthOf(today, 0),
    lastMonth: monthOf(today, 1),
    lastThreeMonths: { first: monthOf(today, 3).first, last: monthOf(today, 1).last },
  }
  return periods[name]
}

/** From the first moment of its first day to the first moment after its last, ISO times. */
export function momentsOf({ first, last }: Period, timeZone: string): { from: string; to: string } {
  const moment = (date: string) => new Date(dayBegins(date, timeZone)).toISOString()
  return { from: moment(first), to: moment(daysAfter(last, 1)) }
}

/** Every day of it, in order. */
export function datesOf({ first, last }: Period): string[] {
  const dates: string[] = []
  for (let date = first; date <= last; date = daysAfter(date, 1)) dates.push(date)
  return dates
}
