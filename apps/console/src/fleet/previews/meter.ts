// Scale and ballistics of the sound meters, in dBFS.

const floorDb = -60
const holdMs = 1500
const fallDbPerS = 12

/** Share of the bar, 0 to 1: linear in dB above −60. */
export const meterShare = (db: number): number => Math.min(1, Math.max(0, (db - floorDb) / -floorDb))

export interface Held {
  db: number
  atMs: number
}

/** The peak is held for a moment, then falls (after IEC 60268-10). */
export function heldPeak(before: Held | undefined, db: number, nowMs: number): Held {
  if (!before || db >= before.db) return { db, atMs: nowMs }
  const overMs = nowMs - before.atMs - holdMs
  if (overMs <= 0) return before
  const fallen = before.db - (overMs / 1000) * fallDbPerS
  return fallen <= db ? { db, atMs: nowMs } : { db: fallen, atMs: nowMs - holdMs }
}
