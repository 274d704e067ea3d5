// Ends abandoned transmissions, so that their channels are free again. Pure rule, thin edge.

/**
 * A transmission is
 * 1. carried: the unit is connected, or the server still collects it; its channel is held for as long as that lasts;
 * 2. abandoned: the unit is gone and the server does not collect it, or is gone itself; since when is stored;
 * 3. lost: abandoned for 60 s without a break; it ends and the channel is freed. A unit that comes back later is sent
 *    a wanted state without a transmission.
 * A server that fails while the unit is connected leaves the transmission carried: the unit retries, and the server is
 * sent its wanted state when it returns. After a start of core, devices count as connected until the grace time ends.
 */
export const LOST_AFTER_MS = 60_000

export interface Carriers {
  unitIsThere: boolean
  serverCollects: boolean
}

/** The time from which the transmission is abandoned (undefined: it is carried), and whether it is lost. */
export function abandonment(
  carriers: Carriers,
  abandonedSinceMs: number | undefined,
  nowMs: number,
): { sinceMs: number | undefined; isLost: boolean } {
  if (carriers.unitIsThere || carriers.serverCollects) return { sinceMs: undefined, isLost: false }
  const sinceMs = abandonedSinceMs ?? nowMs
  return { sinceMs, isLost: nowMs - sinceMs >= LOST_AFTER_MS }
}
