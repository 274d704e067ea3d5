// The lateness of the live data: the age of messages of devices that core has not handled, or not even read.
import { BEHIND_FROM_S } from '@backhaul/contract/define/topic'
import type { Clock } from '@backhaul/runtime/clock'
import { Gauge, type Registry } from 'prom-client'
import type { LoopDelay } from './loop-delay.ts'

const periodMs = 1000

interface Watched {
  clock: Clock
  metrics: Registry
  loopDelay: LoopDelay
  gateway: { readonly behindMs: number }
}

/** Whole seconds; 0 for a delay that no user would notice. */
const secondsOf = (ms: number): number => (ms < BEHIND_FROM_S * 1000 ? 0 : Math.floor(ms / 1000))

/** Reports once a second how late the data are; answers the function that stops it. */
export function watchLateness(
  { clock, metrics, loopDelay, gateway }: Watched,
  report: (seconds: number) => void,
): () => void {
  const behindMs = () => Math.max(gateway.behindMs, loopDelay.ms)
  new Gauge({
    name: 'backhaul_core_live_data_behind_seconds',
    help: 'By how much the live data of the console are late',
    registers: [metrics],
    collect() {
      this.set(behindMs() / 1000)
    },
  })
  const timer = clock.setInterval(() => report(secondsOf(behindMs())), periodMs)
  return () => clock.clearInterval(timer)
}
