// Ends transmissions that nobody carries on any more, so that their channels are free again. Pure rule, thin edge.

/**
 * A transmission is
 * 1. carried: the unit is there, or the server still collects it; its channel stays taken however long that lasts;
 * 2. abandoned: the unit is gone and the server does not collect it, or is gone itself; since when is remembered;
 * 3. lost: abandoned for 60 s without a break; it ends and the channel is freed. A unit that comes back later is told
 *    that no transmission is wanted of it.
 * A server that dies while the unit is there leaves the transmission carried: the unit keeps trying, and the server is
 * told its wanted state when it returns. Right after a start of core, devices count as there until the grace time ends.
 */
export const LOST_AFTER_MS = 60_000

export interface Carriers {
  unitIsThere: boolean
  serverCollects: boolean
}

/** Since when the transmission is abandoned (undefined: it is carried), and whether it is lost. */
export function abandonment(
  carriers: Carriers,
  abandonedSinceMs: number | undefined,
  nowMs: number,
): { sinceMs: number | undefined; isLost: boolean } {
  if (carriers.unitIsThere || carriers.serverCollects) return { sinceMs: undefined, isLost: false }
  const sinceMs = abandonedSinceMs ?? nowMs
  return { sinceMs, isLost: nowMs - sinceMs >= LOST_AFTER_MS }
}
