import { describe, expect, it } from 'vitest'
import { heldPeak, meterShare } from './meter.ts'

describe('sound meter', () => {
  it('shows −60 dBFS as empty, 0 dBFS as full', () => {
    expect([-100, -60, -30, 0, 3].map(meterShare)).toEqual([0, 0, 0.5, 1, 1])
  })
  it('holds a peak for 1.5 s, then lets it fall by 12 dB a second to the level', () => {
    const peak = heldPeak(undefined, -6, 0)
    expect(heldPeak(peak, -30, 1500)).toEqual(peak)
    expect(heldPeak(peak, -30, 2500).db).toBeCloseTo(-18)
    expect(heldPeak(peak, -30, 9000).db).toBe(-30)
    expect(heldPeak(peak, -3, 100)).toEqual({ db: -3, atMs: 100 })
  })
})
