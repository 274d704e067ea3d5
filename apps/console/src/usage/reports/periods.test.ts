import { expect, test } from 'vitest'
import { datesOf, momentsOf, periodOf } from './periods.ts'

test.for([
  ['today', '2026-11-21', '2026-11-21'],
  ['yesterday', '2026-11-20', '2026-11-20'],
  ['thisWeek', '2026-11-16', '2026-11-22'],
  ['lastWeek', '2026-11-09', '2026-11-15'],
  ['thisMonth', '2026-11-01', '2026-11-30'],
  ['lastMonth', '2026-10-01', '2026-10-31'],
  ['lastThreeMonths', '2026-08-01', '2026-10-31'],
] as const)('on a Saturday in November, %s is %s to %s', ([name, first, last]) => {
  expect(periodOf(name, '2026-11-21')).toEqual({ first, last })
})

test('periods cross the year, and a week that begins today is this week', () => {
  expect(periodOf('lastMonth', '2026-01-31')).toEqual({ first: '2025-12-01', last: '2025-12-31' })
  expect(periodOf('lastThreeMonths', '2026-03-31')).toEqual({ first: '2025-12-01', last: '2026-02-28' })
  expect(periodOf('thisWeek', '2026-11-16').first).toBe('2026-11-16')
  expect(periodOf('thisWeek', '2026-11-22').first).toBe('2026-11-16')
})

test('a period begins and ends at midnight of its time zone, regardless of clock changes in between', () => {
  expect(momentsOf({ first: '2026-10-01', last: '2026-10-31' }, 'Europe/London')).toEqual({
    from: '2026-09-30T23:00:00.000Z',
    to: '2026-11-01T00:00:00.000Z',
  })
  expect(datesOf({ first: '2026-02-27', last: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
})
