/** The figures of a speed test: what each link carried while test data flowed. Pure. */
import type { LinkTelemetry, WantedTransmission } from '@backhaul/contract/gateway/units'
import type { SpeedTest, SpeedTestLink } from '@backhaul/contract/nouns/speed-tests'

export interface SpeedTestMeter {
  /** Reported to core: the running test, or the newest one. */
  result(): SpeedTest | null
  /** A transmission that must not be started again, since its test is over. */
  isOver(transmission: WantedTransmission | null): boolean
  /** The figures of one interval while the transmission streams; true when the test has just ended. */
  note(transmission: WantedTransmission, links: readonly LinkTelemetry[], streamingMs: number): boolean
  /** It ended early. */
  cancel(transmissionId: string): void
}

export function createSpeedTestMeter(): SpeedTestMeter {
  let test: SpeedTest | null = null
  let intervals: (readonly LinkTelemetry[])[] = []
  return {
    result: () => test,
    isOver: (transmission) =>
      transmission !== null && test?.transmissionId === transmission.id && test.state !== 'running',
    note({ id, speedTestMs = 0 }, links, streamingMs) {
      if (test?.transmissionId !== id) intervals = []
      intervals.push(links)
      const isDone = streamingMs >= speedTestMs
      test = { transmissionId: id, state: isDone ? 'done' : 'running', links: figuresOf(intervals) }
      return isDone
    },
    cancel(transmissionId) {
      if (test?.transmissionId === transmissionId && test.state !== 'running') return
      test = { transmissionId, state: 'cancelled', links: [] }
    },
  }
}

/** The mean of the second half: in the first half the rates still rise. */
function figuresOf(intervals: readonly (readonly LinkTelemetry[])[]): SpeedTestLink[] {
  const settled = intervals.slice(Math.floor(intervals.length / 2))
  const mean = (figures: readonly number[]) =>
    figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length)
  return (settled.at(-1) ?? []).map(({ port }) => {
    const figures = settled.flatMap((links) => links.find((link) => link.port === port) ?? [])
    const downlinkKbps = Math.round(mean(figures.map(({ downKbps }) => downKbps)))
    return {
      port,
      uplinkKbps: Math.round(mean(figures.map(({ kbps }) => kbps))),
      // A unit that measures no downlink reports none.
      downlinkKbps: downlinkKbps === 0 ? null : downlinkKbps,
      lossPercent: Math.round(mean(figures.map(({ lossPercent }) => lossPercent)) * 10) / 10,
    }
  })
}
