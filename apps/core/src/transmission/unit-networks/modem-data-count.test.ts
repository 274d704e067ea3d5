import { expect, it } from 'vitest'
import { sampleOf } from '../../testing/fleet.ts'
import { countNow, newCount, passesLimit, usedBy, useOf } from './modem-data-count.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')
const hours = { mode: 'per hours', limit: 2, resetDay: 15 } as const

it('counts hours while the modem is connected, and no longer than was measured', () => {
  const samples = [1000, 2000, 60_000].map((ts) => sampleOf(ts))
  const used = usedBy(1, samples, { before: 0, intervalMs: 1000 })
  expect(used.connectedMs).toBe(4000)
  expect(usedBy(9, samples, { before: 0, intervalMs: 1000 })).toEqual({ bytes: 0, connectedMs: 0 })
  const almost = { ...newCount(hours, nowMs), connectedMs: 7_200_000 }
  expect(useOf(almost)).toEqual({ used: 2, overLimit: false })
  const over = { ...almost, connectedMs: 7_200_001 }
  expect(useOf(over)?.overLimit).toBe(true)
  expect([passesLimit(almost, over), passesLimit(over, over)]).toEqual([true, false])
})

it('starts again on the reset day', () => {
  const count = { ...newCount(hours, nowMs), bytes: 5 }
  expect(countNow(count, Date.parse('2026-12-14T23:59:59Z')).bytes).toBe(5)
  expect(countNow(count, Date.parse('2026-12-15T00:00:00Z'))).toMatchObject({ bytes: 0, monitoring: hours })
})
