/** The moves of a unit as they are shown to users: pure, used by core for its history and by the console for its messages. */
import { type UnitEventWhat, unitEvent } from './unit-events.ts'
import {
  activeVideoState,
  displayedStatus,
  isOffline,
  isStreaming,
  type StatusBasis,
  type StatusTransition,
  statusTransition,
} from './unit-status.ts'

/**
 * A transmission counts from the request of its start (ST-PRED-02), but for users it has started when the video flows,
 * and only a started one ends. `hasStarted` is the result of the previous step: a transmission that reconnects has
 * started before.
 */
export function visibleMove(
  before: StatusBasis,
  after: StatusBasis,
  hasStarted: boolean,
): { move: StatusTransition | undefined; hasStarted: boolean } {
  const startsNow = isStreaming(after) && (hasStarted || flows(after))
  return {
    move: statusTransition(visible(before, hasStarted), visible(after, startsNow)),
    hasStarted: startsNow,
  }
}

/** The event of a move in the history of the unit; one without a name gives the status that follows. */
export const moveEvent = (move: StatusTransition, after: StatusBasis): UnitEventWhat =>
  move === 'unknown'
    ? unitEvent('status.changed', { status: displayedStatus(after) })
    : unitEvent(`status.${move}`, {})

/** Video is sent and received. */
export const flows = (unit: StatusBasis): boolean =>
  isStreaming(unit) && activeVideoState(unit) !== 'connecting'

/** The unit as shown: without a transmission that has not started. */
function visible(unit: StatusBasis, hasStarted: boolean): StatusBasis {
  const { applications, status } = unit
  if (isOffline(unit) || hasStarted || !isStreaming(unit) || !applications) return unit
  const { video: _v, multiCamera: _m, switcher: _s, switcherAndProxy: _p, ...rest } = applications
  return { applications: rest, ...(status !== 'streaming' && { status }) }
}
