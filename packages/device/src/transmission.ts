/** A unit's transmission: started, retried while it is wanted, and ended. */
import { type Reason, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { redialDelayMs } from '@backhaul/runtime/reconnecting-socket'
import { wordingOfError } from './refused.ts'

/**
 * 1. idle: nothing is sent; `start` leads to 2;
 * 2. connecting: the hardware tries to reach the receiver; when it is received to 3, after a loss to 5; to 4 when it
 *    fails, to 6 by `stop`;
 * 3. streaming: it is received; to 4 when the hardware loses it, to 6 by `stop`;
 * 4. retrying: waits, 1 s doubling to 30 s, then 2; the operator sees connecting, since it is still wanted; to 6 by `stop`;
 * 5. returning: received again after a loss; the operator sees connecting, so that a bad network does not show as a
 *    status that comes and goes; to 3 when it was stable for `steadyMs`, to 4 when it is lost again, to 6 by `stop`;
 * 6. stopping: the hardware ends; then 1.
 */
export type TransmissionState = 'idle' | 'connecting' | 'streaming' | 'retrying' | 'returning' | 'stopping'

/** After a loss it counts as streaming again when it was received for this long; the pauses begin short again too. */
export const steadyMs = 10_000

/** For the stream that a unit sends, and also for the one that it fetches. */
export interface TransmissionHardware<Wanted = WantedTransmission> {
  startTransmission(wanted: Wanted, delayMs: number, signal: AbortSignal): Promise<void>
  moveTransmission?(wanted: Wanted, delayMs: number, signal: AbortSignal): Promise<void>
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
  /** When the present state began; retrying and returning count as a part of connecting. */
  sinceMs(): number
  /** The duration of the present state, independent of the wall clock. */
  lastedMs(): number
  /** The transmission that is sent or being started. */
  wanted(): Wanted | undefined
  /** Why the newest attempt failed, while there is no success. */
  failure(): Wording | undefined
  /** Only from idle. */
  start(wanted: Wanted, delayMs: number): void
  /** Whether the running transmission can move to another receiver without a stop. */
  canMove(): boolean
  /** Only when it can. Rejects with the old receiver still served. */
  move(wanted: Wanted, signal: AbortSignal): Promise<void>
  /** The delay of the next attempt; the running one is set at the hardware. */
  setDelay(delayMs: number): void
  /** The same flow with other terms: they hold for the next attempt; the running one is set at the hardware. */
  adjust(wanted: Wanted): void
  stop(): Promise<void>
  /** The hardware reports that the stream has ended. */
  lost(why: Reason | Wording): void
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
  let failure: Wording | undefined
  let abort = new AbortController()
  let attempt: Promise<void> = Promise.resolve()
  let timer: Timer | undefined
  let wasLost = false
  let receivedMs = 0

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
        received()
      },
      (error: unknown) => {
        if (!signal.aborted) retry(wordingOfError(error), target)
      },
    )
  }

  function received(): void {
    receivedMs = clock.monotonicMs()
    if (wasLost) timer = clock.setTimeout(steady, steadyMs)
    enter(wasLost ? 'returning' : 'streaming')
  }

  function steady(): void {
    wasLost = false
    enter('streaming')
  }

  function retry(why: Wording, target: Wanted): void {
    failure = why
    if (isReceived(state) && clock.monotonicMs() - receivedMs >= steadyMs) failures = 0
    failures++
    clock.clearTimeout(timer)
    timer = clock.setTimeout(
      () => connect(wanted ?? target),
      redialDelayMs(failures, (random ?? Math.random)()),
    )
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
      wasLost = false
      connect(target)
    },
    canMove: () => state === 'streaming' && hardware.moveTransmission !== undefined,
    async move(target, signal) {
      await hardware.moveTransmission?.(target, delay, AbortSignal.any([abort.signal, signal]))
      wanted = target
      onChange()
    },
    setDelay(delayMs) {
      delay = delayMs
    },
    adjust(next) {
      if (wanted) wanted = next
    },
    async stop() {
      if (state === 'idle' || state === 'stopping') return await attempt
      const wasReceived = isReceived(state)
      clock.clearTimeout(timer)
      abort.abort()
      enter('stopping')
      try {
        await attempt
        if (wasReceived) await hardware.stopTransmission()
      } finally {
        wanted = undefined
        failure = undefined
        enter('idle')
      }
    },
    lost(why) {
      if (!isReceived(state) || !wanted) return
      wasLost = true
      retry(wordingOf(why), wanted)
    },
  }
}

/** Between two attempts the flow is still wanted and not yet there: it is shown as connecting. */
export function shownState(
  flow: Pick<Transmission, 'state'>,
): Exclude<TransmissionState, 'retrying' | 'returning'> {
  const state = flow.state()
  return state === 'retrying' || state === 'returning' ? 'connecting' : state
}

/** Running at the hardware, regardless of the shown state. */
const isReceived = (state: TransmissionState) => state === 'streaming' || state === 'returning'

const isConnecting = (state: TransmissionState) =>
  state === 'connecting' || state === 'retrying' || state === 'returning'
