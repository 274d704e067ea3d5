import { createTestClock } from '@backhaul/runtime/clock'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { watchLateness } from './lateness.ts'
import { LoopDelay } from './loop-delay.ts'

it('says nothing of a stall of a second, and by how much the data are late when it lasts', () => {
  const clock = createTestClock()
  const gateway = { behindMs: 0 }
  const told: number[] = []
  const end = watchLateness(
    { clock, metrics: new Registry(), loopDelay: new LoopDelay(), gateway },
    (seconds) => told.push(seconds),
  )
  for (const behindMs of [0, 1000, 1900, 2400, 7300, 1400, 0]) {
    gateway.behindMs = behindMs
    clock.advance(1000)
  }
  end()
  clock.advance(5000)
  expect(told).toEqual([0, 0, 0, 2, 7, 0, 0])
})
