/** Effect of a scenario on a link, beyond its ordinary variation. */

export interface Influence {
  /** Factor on what the link can carry; 0 is no service. */
  capacity: number
  /** Added to the round trip. */
  rttMs: number
  /** Added to the loss before repair. */
  lossPercent: number
  /** Added to the received power. */
  signalDb: number
}

export const calm: Influence = { capacity: 1, rttMs: 0, lossPercent: 0, signalDb: 0 }

/** Two influences on the same link. */
export const together = (a: Influence, b: Influence): Influence => ({
  capacity: a.capacity * b.capacity,
  rttMs: a.rttMs + b.rttMs,
  lossPercent: a.lossPercent + b.lossPercent,
  signalDb: a.signalDb + b.signalDb,
})

/** From 0 to 1 within `fadeS`, 1 in between, and back to 0 within `fadeS` before the end; 0 outside. */
export function fadeInAndOut(atS: number, durationS: number, fadeS: number): number {
  if (atS <= 0 || atS >= durationS) return 0
  return Math.min(1, atS / fadeS, (durationS - atS) / fadeS)
}
