/** Speed tests: the capacity of a unit's links to a channel, measured with test data in place of a programme (GAP-STRM-05). */

import { z } from 'zod'

/** Seconds that a test lasts unless another time is requested (CO-UNIT-01). */
export const SPEED_TEST_S = 10
export const speedTestSeconds = z.coerce.number().int().min(3).max(60)

/** The throughput of one link; the downlink is null where the unit cannot measure it. */
export const SpeedTestLink = z.object({
  port: z.number().int().min(0).max(63),
  uplinkKbps: z.number().min(0),
  downlinkKbps: z.number().min(0).nullable(),
  lossPercent: z.number().min(0).max(100),
})
export type SpeedTestLink = z.infer<typeof SpeedTestLink>

/**
 * As the unit reports it:
 * 1. running: a receiver answers, test data flows; the figures grow with each second;
 * 2. done: the time is over, the figures are final;
 * 3. cancelled: it was cancelled before.
 */
export const SpeedTest = z.object({
  transmissionId: z.string(),
  state: z.enum(['running', 'done', 'cancelled']),
  links: z.array(SpeedTestLink).max(64),
})
export type SpeedTest = z.infer<typeof SpeedTest>
