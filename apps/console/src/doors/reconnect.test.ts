import { expect, test } from 'vitest'
import { reconnectDelayMs } from './reconnect.ts'

test('the first three tries come within two seconds each, then 30 tries every 10 s, then none', () => {
  expect([1, 2, 3].map((attempt) => reconnectDelayMs(attempt, 1))).toEqual([500, 1000, 1900])
  expect(reconnectDelayMs(1, 0)).toBe(100)
  expect([4, 20, 33].map((attempt) => reconnectDelayMs(attempt, 0.5))).toEqual([10_000, 10_000, 10_000])
  expect(reconnectDelayMs(34, 0.5)).toBeUndefined()
})
