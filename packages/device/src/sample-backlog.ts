/** Samples of a unit for core: kept while disconnected, sent in messages that fit into a frame. */
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import { MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import type { UnitSample } from '@backhaul/contract/gateway/units'
import type { Clock } from '@backhaul/runtime/clock'

/** As many as one message may carry by its schema. */
const MAX_SAMPLES = 60

export interface SampleBacklog {
  /**
   * Sends the present sample with all that wait; while nothing can be sent the newest `kept` samples wait. They get
   * their timestamps when they are sent: a clock that was set meanwhile must not separate them.
   */
  add(sample: UnitSample): void
}

export function createSampleBacklog(
  send: (message: UnitTelemetry) => boolean,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  kept: number = MAX_SAMPLES,
): SampleBacklog {
  let waiting: { sample: UnitSample; atMs: number }[] = []
  const stamped = (samples: typeof waiting) => {
    const startMs = clock.nowMs() - clock.monotonicMs()
    return samples.map(({ sample, atMs }) => ({ ...sample, ts: Math.round(startMs + atMs) }))
  }
  return {
    add(sample) {
      if (waiting.length === 0 && send({ type: 'telemetry', samples: [sample] })) return
      waiting.push({ sample, atMs: clock.monotonicMs() })
      if (waiting.length > kept) waiting.shift()
      while (waiting.length > 0) {
        const samples = stamped(waiting)
        const count = fitting(samples)
        if (!send({ type: 'telemetry', samples: samples.slice(0, count) })) return
        waiting = waiting.slice(count)
      }
    },
  }
}

/** The number of the first samples that one frame can hold, at least one. */
function fitting(samples: readonly UnitSample[]): number {
  const roomBytes = MAX_FRAME_BYTES * 0.75
  let bytes = 0
  for (const [index, sample] of samples.entries()) {
    bytes += JSON.stringify(sample).length
    if (bytes > roomBytes || index === MAX_SAMPLES) return Math.max(1, index)
  }
  return samples.length
}
