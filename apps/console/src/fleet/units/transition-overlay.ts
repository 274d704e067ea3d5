// Between pressing a button and core's first word about it: the unit already shows what was requested.
import {
  type StatusBasis,
  type Transition,
  transitionReached,
  transitionWatchdog,
} from '@backhaul/contract/nouns/unit-status'

export interface AskedTransition {
  readonly transition: 'starting' | 'stopping'
  readonly sinceMs: number
}

const longestMs = transitionWatchdog.checks * transitionWatchdog.periodMs

/** True when the requested transition is over: reached, or given up by the watchdog (ST-LIVE-05, ST-LIVE-06). */
export function isOver(asked: AskedTransition, unit: StatusBasis, nowMs: number): boolean {
  return transitionReached(asked.transition, unit) || nowMs - asked.sinceMs >= longestMs
}

/** The transition that core reports outranks the one requested here. */
export function transitionNow(
  asked: AskedTransition | undefined,
  reported: { readonly transition: NonNullable<Transition> | null },
): NonNullable<Transition> | null {
  return reported.transition ?? asked?.transition ?? null
}
