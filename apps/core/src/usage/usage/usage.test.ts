import { describe, expect, it } from 'vitest'
import { sampleOf } from '../../testing/fleet.ts'
import { usedIn } from './usage.ts'

describe('the sum of samples', () => {
  const modems = new Set([1, 3])
  const measure = { before: 0, intervalMs: 1000, modems }

  it('is what all links sent, and both directions of the links that cost money', () => {
    // Three links of 1000 kbps up and 10 kbps down, for one second; two of them are modems.
    expect(usedIn([sampleOf(1000)], measure)).toEqual({
      sentBytes: 375_000,
      modemBytes: 252_500,
      spanMs: 1000,
    })
  })

  it('leaves out links that are down, but not the time', () => {
    const down = sampleOf(1000, { links: sampleOf(1000).links.map((link) => ({ ...link, up: false })) })
    expect(usedIn([down], measure)).toEqual({ sentBytes: 0, modemBytes: 0, spanMs: 1000 })
  })

  it('covers the time since the sample before, two intervals at most, and none backwards', () => {
    const span = (...times: number[]) =>
      usedIn(
        times.map((ts) => sampleOf(ts)),
        measure,
      ).spanMs
    expect([span(500), span(1000, 1800), span(60_000), span(1000, 900)]).toEqual([500, 1800, 2000, 1000])
  })

  it('counts the very first sample for as long as the next, or for a usual interval', () => {
    const slow = { ...measure, before: undefined, intervalMs: 10_000 }
    expect(usedIn([sampleOf(70_000)], slow).spanMs).toBe(10_000)
    const samples = [70_000, 71_000, 72_000].map((ts) => sampleOf(ts))
    expect(usedIn(samples, slow).spanMs).toBe(3000)
    expect(usedIn([], slow)).toEqual({ sentBytes: 0, modemBytes: 0, spanMs: 0 })
  })
})
