/** Speed tests: the capacity of a unit's links to a channel, measured with test data in place of a programme (GAP-STRM-05). */

import { z } from 'zod'
import type { PlainCode } from '../define/refusals.ts'
import { type Channel, channelRefusal } from './channels.ts'
import { gate } from './gates.ts'
import { isBusy, isOffline } from './unit-status.ts'
import type { Unit } from './units.ts'

/** Seconds that a test lasts unless another time is requested (CO-UNIT-01). */
export const SPEED_TEST_S = 10
export const speedTestSeconds = z.coerce.number().int().min(3).max(60)

/** What one link carried; the downlink is null where the unit cannot measure it. */
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

type Tested = Pick<Unit, 'uid' | 'applications' | 'status' | 'transmission' | 'transition' | 'capabilities'>

/** Why the unit cannot be tested on this channel now, as the text to show; undefined when it can. */
export function speedTestRefusal(unit: Tested, channel: Channel | undefined): PlainCode | undefined {
  if (isOffline(unit)) return 'unit.offline'
  if (unit.capabilities.speedTest !== true) return 'feature.disabled'
  if (unit.transmission !== null || isBusy(unit)) return 'unit.busy'
  if (unit.transition !== null) return 'unit.inTransition'
  if (channel === undefined || channelRefusal(channel, unit.uid) !== undefined) return 'channel.busyOrOffline'
  return gate('speedTest', { serverVersion: channel.liveuVersion })
}
