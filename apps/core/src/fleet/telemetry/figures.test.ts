import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleOf } from '../../testing/fleet.ts'
import {
  Chunk,
  decodeChunk,
  type Figures,
  SECOND_MS,
  type SecondFigures,
  steadyLink,
  TEN_SECONDS_MS,
} from './chunk.ts'
import { figuresOfSample, graphOf, merged } from './figures.ts'
import { TenSeconds } from './ten-seconds.ts'
import { UnitSeries } from './unit-series.ts'

const t0 = 1_795_000_000_000

const second = (at: number, more = {}, dropped = 0): SecondFigures =>
  figuresOfSample(sampleOf(0, more), t0 + at * 1000, dropped)

/** The same as an interval, as it is read from the database. */
const interval = (figures: SecondFigures): Figures => ({
  ...figures,
  links: figures.links.map(steadyLink),
})

function append(chunk: Chunk, figures: SecondFigures): void {
  if (chunk.resolutionMs === SECOND_MS) chunk.appendSecond(figures)
  else chunk.appendTen(interval(figures))
}

/** Wanders as mobile links do, the same way in every run. */
function* wandering(seconds: number): Generator<SecondFigures> {
  let random = 42
  const next = () => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
    return random / 0x7fffffff
  }
  const rates = Array.from({ length: 6 }, () => 1000)
  for (let at = 1; at <= seconds; at++) {
    const links = rates.map((rate, index) => {
      rates[index] = Math.max(0, Math.min(3000, rate + (next() - 0.5) * 200))
      return {
        port: index,
        up: true,
        kbps: rates[index] ?? 0,
        downKbps: 0,
        rttMs: 40 + next() * 20,
        lossPercent: next() * 2,
        rtxPercent: 0,
        capacityKbps: null,
      }
    })
    yield second(at, { links, encoderKbps: 4000 + Math.round(next() * 500), capacityKbps: 6000 })
  }
}

describe.each([SECOND_MS, TEN_SECONDS_MS])('a chunk of %i ms', (resolution) => {
  it('returns what was added, within its rounding', () => {
    const figures = [...wandering(30)]
    const down = second(31, { battery: { connected: true, charging: false, percentage: 0 } })
    const chunk = new Chunk(resolution, t0, [0, 1, 2, 3, 4, 5])
    for (const one of figures) append(chunk, one)
    expect(chunk.fits(down)).toBe(false)
    const back = decodeChunk(chunk.encode(), resolution, t0)
    expect(back).toEqual(chunk.figures())
    expect(back.map(({ ts }) => ts)).toEqual(figures.map(({ ts }) => ts))
    back.forEach((one, at) => {
      const given = figures[at] as SecondFigures
      expect(one.encoderKbps).toBe(given.encoderKbps)
      one.links.forEach((link, index) => {
        expect(Math.abs(link.kbps - (given.links[index]?.kbps ?? 0))).toBeLessThanOrEqual(0.5)
        expect(Math.abs((link.rttMs ?? 0) - (given.links[index]?.rttMs ?? 0))).toBeLessThanOrEqual(0.5)
        expect(Math.abs(link.lossPercent - (given.links[index]?.lossPercent ?? 0))).toBeLessThanOrEqual(0.005)
      })
    })
  })

  it('distinguishes unknown from zero', () => {
    const chunk = new Chunk(resolution, t0, [1, 2, 3])
    const battery = { connected: true, charging: false, percentage: 0 }
    const location = { lat: -33.86882, lng: 151.20929, address: '' }
    append(chunk, second(1, { battery, location, encoderKbps: 0 }))
    append(chunk, second(2, { encoderKbps: null, capacityKbps: null }))
    const [known, unknown] = chunk.figures()
    expect(known).toMatchObject({ batteryPercent: 0, encoderKbps: 0 })
    expect(known?.lat).toBeCloseTo(-33.86882, 5)
    expect(known?.lng).toBeCloseTo(151.20929, 5)
    expect(unknown).toMatchObject({ batteryPercent: null, encoderKbps: null, capacityKbps: null, lat: null })
  })

  it('needs less than 50 bytes for a row of six varying links', () => {
    const chunk = new Chunk(resolution, t0, [0, 1, 2, 3, 4, 5])
    for (const one of wandering(300)) append(chunk, one)
    expect(chunk.encode().length / 300).toBeLessThan(resolution === SECOND_MS ? 35 : 50)
  })
})

it('merges to the mean, the least and the most, and adds up what was dropped', () => {
  const link = (kbps: number, rttMs: number | null) => ({
    port: 1,
    up: rttMs !== null,
    kbps,
    downKbps: 0,
    rttMs,
    lossPercent: 2,
    rtxPercent: 0,
    capacityKbps: null,
  })
  const parts = [
    second(1, { links: [link(1000, 40)] }, 2),
    second(2, { links: [link(3000, 60)] }, 3),
    second(3, { links: [link(0, null)] }),
  ]
  expect(merged(parts.map(interval), t0 + 3000)).toMatchObject({
    ts: t0 + 3000,
    droppedPackets: 5,
    links: [
      { port: 1, kbps: 4000 / 3, kbpsMin: 0, kbpsMax: 3000, rttMs: 50, rttMaxMs: 60, lossPercent: 4 / 3 },
    ],
  })
})

describe('the graph', () => {
  const range = { points: 6, intervalMs: 5000, untilMs: t0 + 30_000 }

  it('has a point for each interval with data, oldest first', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 12].map((at) => interval(second(at, { encoderKbps: at * 100 })))
    const points = graphOf(range, seconds, [], TEN_SECONDS_MS)
    expect(points.map(({ ts, encoderKbps }) => [(ts - t0) / 1000, encoderKbps])).toEqual([
      [5, 300],
      [10, 600],
      [15, 1200],
    ])
  })

  it('fills gaps with 10 s, and counts their dropped packets once', () => {
    const tens = [second(10, {}, 7), second(20, {}, 1)].map(interval)
    const points = graphOf(range, [interval(second(3))], tens, TEN_SECONDS_MS)
    expect(points.map(({ ts, droppedPackets }) => [(ts - t0) / 1000, droppedPackets])).toEqual([
      [5, 0],
      [10, 7],
      [15, 0],
      [20, 1],
    ])
  })
})

describe('a series', () => {
  it('stores seconds only while the unit sends, 10 s always', () => {
    const series = new UnitSeries(0)
    const idle = { encoderKbps: null, links: [] }
    for (let at = 1; at <= 60; at++) series.add(second(at, at > 20 && at <= 40 ? {} : idle))
    expect(series.figures(SECOND_MS)).toHaveLength(20)
    expect(series.figures(TEN_SECONDS_MS).map(({ ts }) => (ts - t0) / 1000)).toEqual([10, 20, 30, 40, 50, 60])
  })

  it('writes an open chunk again after a minute, and drops what is not newer', () => {
    const series = new UnitSeries(0)
    for (let at = 1; at <= 70; at++) series.add(second(at))
    series.add(second(65))
    const due = series.due(t0 + 70_000)
    expect(due.map(({ resolutionMs, count }) => [resolutionMs, count])).toEqual([[SECOND_MS, 70]])
    for (const chunk of due) Object.assign(chunk, { writtenAtMs: t0 + 70_000, writtenCount: chunk.count })
    expect(series.due(t0 + 71_000)).toEqual([])
    expect(series.due(t0 + 71_000, true).map(({ resolutionMs }) => resolutionMs)).toEqual([TEN_SECONDS_MS])
  })

  it('starts another chunk when the links change and after five minutes', () => {
    const series = new UnitSeries(0)
    for (let at = 1; at <= 310; at++) series.add(second(at))
    series.add(second(311, { links: sampleOf(0).links.slice(1) }))
    const counts = series.due(t0 + 311_000, true).filter(({ resolutionMs }) => resolutionMs === SECOND_MS)
    expect(counts.map(({ count }) => count)).toEqual([300, 10, 1])
  })
})

const link = fc.record({
  port: fc.integer({ min: 0, max: 8 }),
  up: fc.boolean(),
  kbps: fc.nat(9000),
  downKbps: fc.nat(100),
  rttMs: fc.option(fc.nat(900), { nil: null }),
  lossPercent: fc.double({ min: 0, max: 100, noNaN: true }),
  rtxPercent: fc.constant(0),
  capacityKbps: fc.constant(null),
})
const sample = fc.record({
  links: fc.array(link, { maxLength: 7 }),
  encoderKbps: fc.option(fc.nat(9000), { nil: null }),
  capacityKbps: fc.option(fc.nat(9000), { nil: null }),
  battery: fc.constantFrom(null, { connected: true, charging: false, percentage: 7 }),
  location: fc.constantFrom(null, { lat: 51.5, lng: -0.12, address: '' }),
})

it('has sums of ten seconds that equal those of the merged seconds, one ten after the other', () => {
  const tens = fc.array(fc.array(fc.tuple(sample, fc.nat(5)), { minLength: 1, maxLength: 10 }), {
    maxLength: 3,
  })
  fc.assert(
    fc.property(tens, (all) => {
      const sums = new TenSeconds()
      for (const seconds of all) {
        sums.clear()
        const parts = seconds.map(([more, dropped], at) => second(at + 1, more, dropped))
        for (const figures of parts) sums.add(figures)
        expect(sums.figures(t0 + 10_000)).toEqual(merged(parts.map(interval), t0 + 10_000))
      }
    }),
  )
})
