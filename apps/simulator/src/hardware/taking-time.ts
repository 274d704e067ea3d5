/** Acts of simulated hardware that take their time. */
import type { Clock } from '@backhaul/runtime/clock'
import type { Random } from '../random.ts'

export type Span = readonly [leastS: number, mostS: number]

export const takeTime = (clock: Clock, random: Random, [least, most]: Span): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimeout(resolve, random.between(least, most) * 1000)
  })
