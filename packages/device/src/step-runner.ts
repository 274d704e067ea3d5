/** Carries out the steps towards a wanted state: one plan at a time, and a newer request ends the older plan. */
import type { Wording } from '@backhaul/contract/define/refusals'
import { wordingOfError } from './refused.ts'

export interface StepPlan<Step> {
  /** The steps from the present state to the wanted one. */
  plan(): readonly Step[]
  /** A long step may check the signal; it is aborted when something newer is wanted. */
  carryOut(step: Step, signal: AbortSignal): void | Promise<void>
  /** All steps of the newest plan are done. */
  onDone(): void
  /** A step of the newest plan failed; the rest of the plan is skipped. */
  onFailed(why: Wording): void
}

export interface StepRunner {
  /** The state may differ from the wanted one: plans again, after the step that runs now. */
  request(): void
  /** Ends after the step that runs now. */
  stop(): Promise<void>
}

/**
 * Invariants: no two steps ever run at the same time; a plan is made only when no step runs; onDone and onFailed are
 * only called for a plan that no newer request has replaced.
 */
export function createStepRunner<Step>({ plan, carryOut, onDone, onFailed }: StepPlan<Step>): StepRunner {
  let running: Promise<void> | undefined
  let abort: AbortController | undefined
  let requested = false
  let stopped = false

  async function runOnce({ signal }: AbortController): Promise<void> {
    try {
      for (const step of plan()) {
        await carryOut(step, signal)
        if (signal.aborted) return
      }
      onDone()
    } catch (error) {
      if (!signal.aborted) onFailed(wordingOfError(error))
    }
  }

  async function run(): Promise<void> {
    while (requested && !stopped) {
      requested = false
      abort = new AbortController()
      await runOnce(abort)
    }
    running = undefined
  }

  return {
    request() {
      if (stopped) return
      requested = true
      abort?.abort()
      running ??= run()
    },
    async stop() {
      stopped = true
      abort?.abort()
      await running
    },
  }
}
