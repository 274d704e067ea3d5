/** The moves of a unit as people are told them: pure, used by core for its history and by the console for its messages. */
import {
  activeVideoState,
  isOffline,
  isStreaming,
  type StatusBasis,
  type StatusTransition,
  statusTransition,
} from './unit-status.ts'

/**
 * A transmission counts from the moment its start was asked for (ST-PRED-02), but it has started for people when the video
 * flows, and only what has started ends. `hasStarted` is what the step before answered: a transmission that connects
 * again has started long ago.
 */
export function toldMove(
  before: StatusBasis,
  after: StatusBasis,
  hasStarted: boolean,
): { move: StatusTransition | undefined; hasStarted: boolean } {
  const startsNow = isStreaming(after) && (hasStarted || flows(after))
  return { move: statusTransition(told(before, hasStarted), told(after, startsNow)), hasStarted: startsNow }
}

/** Video is sent and received. */
export const flows = (unit: StatusBasis): boolean =>
  isStreaming(unit) && activeVideoState(unit) !== 'connecting'

/** Without the transmission that has not started. */
function told(unit: StatusBasis, hasStarted: boolean): StatusBasis {
  const { applications, status } = unit
  if (isOffline(unit) || hasStarted || !isStreaming(unit) || !applications) return unit
  const { video: _v, multiCamera: _m, switcher: _s, switcherAndProxy: _p, ...rest } = applications
  return { applications: rest, ...(status !== 'streaming' && { status }) }
}
