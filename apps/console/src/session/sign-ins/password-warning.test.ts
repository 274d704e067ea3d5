import { expect, test } from 'vitest'
import { daysToWarn, isWarned, nextDayMs } from './password-warning.ts'

const days = (count: number) => count * 86_400
const nowMs = new Date(2026, 10, 21, 15, 30).getTime()

test('a warning begins 14 days before the end, and never for a password without end', () => {
  expect([null, days(15), days(15) - 1, days(14), days(1) - 1, -5].map(daysToWarn)).toEqual([
    undefined,
    undefined,
    14,
    14,
    0,
    0,
  ])
})

test('it is postponed until the next day, on the last day not at all', () => {
  const postponedUntilMs = nextDayMs(nowMs)
  expect(new Date(postponedUntilMs).toString()).toBe(new Date(2026, 10, 22).toString())
  const of = (left: number | null, atMs: number) =>
    isWarned({ secondsLeft: left, postponedUntilMs, nowMs: atMs })
  expect(of(days(5), nowMs)).toBe(false)
  expect(of(days(5), postponedUntilMs)).toBe(true)
  expect(of(days(0.5), nowMs)).toBe(true)
  expect(of(null, postponedUntilMs)).toBe(false)
  expect(isWarned({ secondsLeft: days(5), postponedUntilMs: null, nowMs })).toBe(true)
})
