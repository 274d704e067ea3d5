import { describe, expect, it } from 'vitest'
import { dayRows } from './day-rows.ts'

const dayMs = 86_400_000
const days = ['2026-11-01', '2026-11-02', '2026-11-03'].map((date, at) => ({
  date,
  fromMs: at * dayMs,
  toMs: (at + 1) * dayMs,
}))
const nowMs = 2.5 * dayMs
const run = (startedMs: number, liveMs: number | null, stoppedMs: number | null) => ({
  startedMs,
  liveMs,
  stoppedMs,
})

describe('the days of a report', () => {
  it('divides what ran over midnight, and leaves out days without transmissions', () => {
    const rows = dayRows(days, [run(0.5 * dayMs, 0.75 * dayMs, 1.25 * dayMs)], [], nowMs)
    const figures = {
      name: '',
      dataBytes: null,
      videoReturnMs: 0,
      storeAndForwardFiles: 0,
      transmissions: 1,
      running: 0,
      streamingMs: 0.25 * dayMs,
    }
    expect(rows).toEqual([
      { id: '2026-11-01', ...figures },
      { id: '2026-11-02', ...figures },
    ])
  })

  it('counts from the start of the first day what began before it, and what runs until now', () => {
    const rows = dayRows(days, [run(-5 * dayMs, -4 * dayMs, null)], [], nowMs)
    expect(rows.map(({ streamingMs, running }) => [streamingMs / dayMs, running])).toEqual([
      [1, 1],
      [1, 1],
      [0.5, 1],
    ])
  })

  it('has no hours without a picture, and no row for a day at whose midnight it ended', () => {
    const rows = dayRows(days, [run(0.1 * dayMs, null, dayMs)], [], nowMs)
    expect(rows).toMatchObject([{ id: '2026-11-01', streamingMs: 0, transmissions: 1 }])
  })

  it('adds the data of each quarter of an hour to its day', () => {
    const slices = [0, dayMs - 900_000, dayMs, 2 * dayMs + 900_000].map((fromMs) => ({ fromMs, bytes: 7 }))
    const rows = dayRows(days, [], [...slices, { fromMs: -900_000, bytes: 7 }], nowMs)
    expect(rows.map(({ id, dataBytes }) => [id, dataBytes])).toEqual([
      ['2026-11-01', 14],
      ['2026-11-02', 7],
      ['2026-11-03', 7],
    ])
  })
})
