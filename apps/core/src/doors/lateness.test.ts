import { createTestClock } from '@backhaul/runtime/clock'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { watchLateness } from './lateness.ts'
import { LoopDelay } from './loop-delay.ts'

it('reports nothing for a stall of a second, and by how much the data are late when it lasts', () => {
  const clock = createTestClock()
  const gateway = { behindMs: 0 }
  const reported: number[] = []
  const end = watchLateness(
    { clock, metrics: new Registry(), loopDelay: new LoopDelay(), gateway },
    (seconds) => reported.push(seconds),
  )
  for (const behindMs of [0, 1000, 1900, 2400, 7300, 1400, 0]) {
    gateway.behindMs = behindMs
    clock.advance(1000)
  }
  end()
  clock.advance(5000)
  expect(reported).toEqual([0, 0, 0, 2, 7, 0, 0])
})
