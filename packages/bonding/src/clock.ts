// The time that bonding uses: any steady count of milliseconds.
import { performance } from 'node:perf_hooks'

export type BondingClock = {
  /** Milliseconds that never go back. */
  nowMs(): number
}

export const steadyClock: BondingClock = { nowMs: () => performance.now() }

/** @throws RangeError unless the buffer is 20 to 30000 ms. */
export function checkBufferMs(bufferMs: number): void {
  if (!(bufferMs >= 20 && bufferMs <= 30_000)) {
    throw new RangeError(`bufferMs: must be 20 to 30000, got ${bufferMs}`)
  }
}
