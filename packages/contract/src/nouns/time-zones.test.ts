import { expect, test } from 'vitest'
import { dateIn, dayBegins, daysAfter, daysOf, isTimeZone } from './time-zones.ts'

const iso = (ms: number) => new Date(ms).toISOString()

test.for([
  ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['Europe/London', '2026-07-01', '2026-06-30T23:00:00.000Z'],
  ['America/New_York', '2026-11-21', '2026-11-21T05:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z'],
  // Midnight is left out for summer time: the day begins at one.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // The hour before midnight comes twice; the next day begins after the second.
  ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z'],
] as const)('in %s the day %s begins at %s', ([zone, date, begin]) => {
  expect(iso(dayBegins(date, zone))).toBe(begin)
  expect(dateIn(dayBegins(date, zone), zone)).toBe(date)
  expect(dateIn(dayBegins(date, zone) - 1, zone)).toBe(daysAfter(date, -1))
})

test('days join without a gap, and the day of the change of time has 23 or 25 hours', () => {
  const [from, to] = [dayBegins('2026-03-01', 'Europe/London'), dayBegins('2026-11-01', 'Europe/London')]
  const days = daysOf(from, to, 'Europe/London')
  expect(days).toHaveLength(245)
  for (const [at, day] of days.entries()) expect(day.fromMs).toBe(days[at - 1]?.toMs ?? from)
  const hours = (date: string) => {
    const day = days.find((one) => one.date === date)
    return day && (day.toMs - day.fromMs) / 3_600_000
  }
  expect([hours('2026-03-29'), hours('2026-03-30'), hours('2026-10-25')]).toEqual([23, 24, 25])
})

test('a period that begins and ends within a day cuts its first and last day', () => {
  const period = [Date.parse('2026-11-20T22:30:00Z'), Date.parse('2026-11-21T10:00:00Z')] as const
  expect(daysOf(...period, 'Europe/London').map(({ date, toMs }) => [date, iso(toMs)])).toEqual([
    ['2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', '2026-11-21T10:00:00.000Z'],
  ])
  expect(daysOf(...period, 'Asia/Tokyo').map(({ date }) => date)).toEqual(['2026-11-21'])
})

test('names of the zone database are known, others are not', () => {
  expect(['UTC', 'Europe/London', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
