/** The tally that a unit shows: what core sent last, and off once core has been away. */
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** Long enough for a lost connection that is made again immediately, too short for a picture that has left the programme. */
const keptMs = 5000

export interface UnitTally {
  /** Core sent it. */
  receive(onAir: boolean): void
  /** Core disconnected: after a few seconds without a tally it is off. */
  lost(): void
  /** It is off immediately, since the unit ends or restarts. */
  end(): void
}

export interface UnitTallyOptions {
  /** Called only when it changes. */
  show: ((onAir: boolean) => void) | undefined
  clock: Clock
}

/** A new connection alone does not keep it on: only the tally that core sends over it does. */
export function createUnitTally({ show, clock }: UnitTallyOptions): UnitTally {
  let isShown = false
  let timer: Timer | undefined

  function set(onAir: boolean): void {
    clock.clearTimeout(timer)
    timer = undefined
    if (onAir === isShown) return
    isShown = onAir
    show?.(onAir)
  }

  return {
    receive: set,
    lost() {
      if (isShown) timer ??= clock.setTimeout(() => set(false), keptMs)
    },
    end: () => set(false),
  }
}
