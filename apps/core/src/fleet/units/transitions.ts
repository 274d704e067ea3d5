// The transition flag of each unit: set by a start or a stop, cleared by the unit's own report or by the watchdog.
import {
  type StatusBasis,
  type Transition,
  transitionReached,
  transitionWatchdog,
} from '@backhaul/contract/nouns/unit-status'
import type { Clock, Timer } from '@backhaul/runtime/clock'

export interface Transitions {
  begin(unitId: string, transition: NonNullable<Transition>): void
  end(unitId: string): void
  /** Checks a status: clears the flag when it shows the expected one (ST-LIVE-05). */
  see(unitId: string, unit: StatusBasis): void
  of(unitId: string): Transition
  stop(): void
}

interface Waiting {
  transition: NonNullable<Transition>
  checks: number
  timer: Timer
}

export function createTransitions(clock: Clock, onGiveUp: (unitId: string) => void): Transitions {
  const waiting = new Map<string, Waiting>()

  function end(unitId: string): void {
    const known = waiting.get(unitId)
    if (!known) return
    clock.clearInterval(known.timer)
    waiting.delete(unitId)
  }

  /** ST-LIVE-06: up to 10 checks, one every 2 s. */
  function check(unitId: string): void {
    const known = waiting.get(unitId)
    if (!known || ++known.checks < transitionWatchdog.checks) return
    end(unitId)
    onGiveUp(unitId)
  }

  return {
    begin(unitId, transition) {
      end(unitId)
      const timer = clock.setInterval(() => check(unitId), transitionWatchdog.periodMs)
      waiting.set(unitId, { transition, checks: 0, timer })
    },
    end,
    see(unitId, unit) {
      const known = waiting.get(unitId)
      if (known && transitionReached(known.transition, unit)) end(unitId)
    },
    of: (unitId) => waiting.get(unitId)?.transition,
    stop() {
      for (const { timer } of waiting.values()) clock.clearInterval(timer)
      waiting.clear()
    },
  }
}
