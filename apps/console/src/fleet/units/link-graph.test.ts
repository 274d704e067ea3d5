import { exampleUnit } from '@backhaul/contract/examples/units'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS, type GraphPoint } from '@backhaul/contract/nouns/modems'
import { describe, expect, it } from 'vitest'
import { beginInterval, columnsOf, endInterval, gather, grown, heldScale, portsOf } from './link-graph.ts'

const point = (ts: number, ...kbps: number[]): GraphPoint => ({
  ts,
  links: kbps.map((value, port) => ({ port, kbps: value, rttMs: 40, lossPercent: 1 })),
  encoderKbps: 3000,
  capacityKbps: 5000,
  droppedPackets: 0,
})

describe('modem graph', () => {
  it('makes one point of the samples of an interval', () => {
    const gathered = beginInterval(2)
    const [modem] = exampleUnit.modems
    const unit = (uplinkKbps: number, rttMs: number | null, droppedPackets: number) => ({
      modems: [{ ...modem!, uplinkKbps, rttMs }],
      uplink: { ...exampleUnit.uplink!, droppedPackets },
    })
    gather(gathered, unit(1000, 40, 2))
    gather(gathered, unit(3000, null, 5))
    expect(endInterval(gathered, 5000)).toMatchObject({
      ts: 5000,
      links: [{ port: 1, kbps: 2000, rttMs: 40 }],
      droppedPackets: 3,
    })
  })
  it('makes no point of silence', () => expect(endInterval(beginInterval(0), 5000)).toBeUndefined())
  it('[UNIT-016] [LIVE-007] keeps 360 points of 5 s', () => {
    let points: GraphPoint[] = []
    for (let i = 1; i <= GRAPH_POINTS + 10; i++) points = grown(points, point(i * GRAPH_INTERVAL_MS, 1))
    expect(points).toHaveLength(GRAPH_POINTS)
  })
  it('stacks the links in the order of their ports, in Mbps', () => {
    const points = [point(5000, 1000, 2000), point(10_000, 500)]
    const columns = columnsOf(points, portsOf(points))
    expect(columns.bands).toEqual([
      [1, 0.5],
      [3, 0.5],
    ])
    expect(columns.rttMs[1]).toEqual([40, null])
  })
  it('breaks the lines where nothing was received', () => {
    const points = [point(5000, 1000), point(30_000, 1000)]
    expect(columnsOf(points, [0]).bands[0]).toEqual([1, null, 1])
  })
  it('lets the scale rise at once and fall only after a minute', () => {
    const first = heldScale(undefined, 3, 0)
    expect(first.max).toBe(4)
    expect(heldScale(first, 7, 1000).max).toBe(8)
    expect(heldScale(first, 1, 30_000).max).toBe(4)
    expect(heldScale(first, 1, 61_000).max).toBe(2)
  })
})
