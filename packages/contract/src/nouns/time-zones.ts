/** Civil days in a time zone: where each begins, from the zone data of the JavaScript engine. */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const fresh = new Intl.DateTimeFormat('en-GB', { timeZone, era: 'short', ...numeric, ...clock })
  formats.set(timeZone, fresh)
  return fresh
}

/** True for a name of the zone database, for instance `Europe/London`, and for `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { message: rule('timeZone.unknown') })

/** The local time of the zone as if it were UTC; milliseconds since 1970, to the second. */
function shownMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
}

const dateOfShown = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The date that a calendar of the zone shows at a moment, as `2026-11-21`. */
export const dateIn = (atMs: number, timeZone: string): string => dateOfShown(shownMs(atMs, timeZone))

/** `days` after a date `2026-11-21`, or before it when negative. */
export const daysAfter = (date: string, days: number): string =>
  dateOfShown(Date.parse(`${date}T00:00:00Z`) + days * dayMs)

/** The beginning of a day such as `2026-11-21`; the first moment after midnight where summer time skips midnight. */
export function dayBegins(date: string, timeZone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`)
  const offsets = [-dayMs, dayMs].map((aside) => shownMs(wall + aside, timeZone) - (wall + aside))
  const moments = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
  return moments.find((moment) => dateIn(moment, timeZone) === date) ?? wall
}

export interface Day {
  date: string
  fromMs: number
  /** The first moment after it. */
  toMs: number
}

/** The days of a period, the first and the last cut off where the period begins and ends. */
export function daysOf(fromMs: number, toMs: number, timeZone: string): Day[] {
  const days: Day[] = []
  for (let date = dateIn(fromMs, timeZone), begin = fromMs; begin < toMs; date = daysAfter(date, 1)) {
    const next = dayBegins(daysAfter(date, 1), timeZone)
    days.push({ date, fromMs: begin, toMs: Math.min(next, toMs) })
    begin = next
  }
  return days
}
