/** A unit's transmission: started, tried again while it is wanted, and ended. */
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { redialDelayMs } from '@backhaul/runtime/reconnecting-socket'

/**
 * 1. idle: nothing is sent; `start` leads to 2;
 * 2. connecting: the hardware tries to reach the receiver; to 3 when it is received, to 4 when it fails, to 5 by `stop`;
 * 3. streaming: it is received; to 4 when the hardware loses it, to 5 by `stop`;
 * 4. retrying: waits, 1 s doubling to 30 s, then 2; the operator sees connecting, since it is still wanted; to 5 by `stop`;
 * 5. stopping: the hardware ends; then 1.
 */
export type TransmissionState = 'idle' | 'connecting' | 'streaming' | 'retrying' | 'stopping'

/** Of what a unit sends, and in the same way of what it fetches. */
export interface TransmissionHardware<Wanted = WantedTransmission> {
  startTransmission(wanted: Wanted, delayMs: number, signal: AbortSignal): Promise<void>
  stopTransmission(): void | Promise<void>
}

export interface TransmissionOptions<Wanted = WantedTransmission> {
  hardware: TransmissionHardware<Wanted>
  onChange: () => void
  clock: Clock
  random?: (() => number) | undefined
}

export interface Transmission<Wanted = WantedTransmission> {
  state(): TransmissionState
  /** When the present state began; retrying counts as a part of connecting. */
  sinceMs(): number
  /** How long the present state has lasted, whatever happens to the wall clock. */
  lastedMs(): number
  /** What is sent, or tried to be. */
  wanted(): Wanted | undefined
  /** Why the newest attempt failed, while there is no success. */
  failure(): string | undefined
  /** Only from idle. */
  start(wanted: Wanted, delayMs: number): void
  /** The delay of the next attempt; the one that runs is the hardware's matter. */
  setDelay(delayMs: number): void
  stop(): Promise<void>
  /** The hardware says that what was streaming has ended. */
  lost(reason: string): void
}

export function createTransmission<Wanted = WantedTransmission>({
  hardware,
  onChange,
  clock,
  random,
}: TransmissionOptions<Wanted>): Transmission<Wanted> {
  let state: TransmissionState = 'idle'
  let sinceMs = clock.nowMs()
  let enteredMs = clock.monotonicMs()
  let wanted: Wanted | undefined
  let delay = 0
  let failures = 0
  let failure: string | undefined
  let abort = new AbortController()
  let attempt: Promise<void> = Promise.resolve()
  let retryTimer: Timer | undefined

  const lastedMs = () => clock.monotonicMs() - enteredMs

  function enter(next: TransmissionState): void {
    const looksTheSame = isConnecting(state) && isConnecting(next)
    if (!looksTheSame) {
      sinceMs = clock.nowMs()
      enteredMs = clock.monotonicMs()
    }
    state = next
    onChange()
  }

  function connect(target: Wanted): void {
    abort = new AbortController()
    const { signal } = abort
    enter('connecting')
    attempt = Promise.try(() => hardware.startTransmission(target, delay, signal)).then(
      async () => {
        // The stop came when the hardware had just succeeded.
        if (signal.aborted) return await hardware.stopTransmission()
        failure = undefined
        enter('streaming')
      },
      (error: unknown) => {
        if (!signal.aborted) retry(error instanceof Error ? error.message : String(error), target)
      },
    )
  }

  function retry(reason: string, target: Wanted): void {
    failure = reason
    // A stream that held for a while starts the pauses from the beginning.
    if (state === 'streaming' && lastedMs() >= 10_000) failures = 0
    failures++
    retryTimer = clock.setTimeout(() => connect(target), redialDelayMs(failures, (random ?? Math.random)()))
    enter('retrying')
  }

  return {
    state: () => state,
    sinceMs: () => sinceMs,
    lastedMs,
    wanted: () => wanted,
    failure: () => failure,
    start(target, delayMs) {
      wanted = target
      delay = delayMs
      failures = 0
      failure = undefined
      connect(target)
    },
    setDelay(delayMs) {
      delay = delayMs
    },
    async stop() {
      if (state === 'idle' || state === 'stopping') return await attempt
      const wasStreaming = state === 'streaming'
      clock.clearTimeout(retryTimer)
      abort.abort()
      enter('stopping')
      try {
        await attempt
        if (wasStreaming) await hardware.stopTransmission()
      } finally {
        wanted = undefined
        failure = undefined
        enter('idle')
      }
    },
    lost(reason) {
      if (state === 'streaming' && wanted) retry(reason, wanted)
    },
  }
}

/** Between two attempts the flow is still wanted and not yet there: connecting is the honest word. */
export function shownState(flow: Pick<Transmission, 'state'>): Exclude<TransmissionState, 'retrying'> {
  const state = flow.state()
  return state === 'retrying' ? 'connecting' : state
}

const isConnecting = (state: TransmissionState) => state === 'connecting' || state === 'retrying'
