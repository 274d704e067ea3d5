/** Logs that a device sends to core, for its operators and its vendor (LOG rows). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import type { PlainCode } from '../define/refusals.ts'
import { isOffline, isStreaming } from './unit-status.ts'
import type { Unit } from './units.ts'

/**
 * 1. running: parts are being received;
 * 2. complete: all of them have arrived (final);
 * 3. stopped: a user cancelled it (final);
 * 4. failed: the device disconnected or sent nothing more (final).
 */
export const LogState = z.enum(['running', 'complete', 'stopped', 'failed'])
export type LogState = z.infer<typeof LogState>

export const DeviceLog = z.object({
  id: z.string(),
  source: z.enum(['unit', 'channel']),
  name: z.string().describe('Of the unit or the channel'),
  description: z.string(),
  by: z.string(),
  startedAt: IsoTime,
  state: LogState,
  bytes: z.number().int(),
})
export type DeviceLog = z.infer<typeof DeviceLog>

export const DESCRIPTION_MAX = 1024

/** A log of more than this is cut: the newest lines are at its end and come first. */
export const LOG_BYTES_MAX = 1_000_000

/** Why a unit may not send its logs now (RO-PERM-43, ER-TIP-07). */
export function logRefusal(
  unit: Pick<Unit, 'status' | 'applications' | 'capabilities' | 'transmission'>,
): PlainCode | undefined {
  if (isOffline(unit) || unit.transmission !== null || isStreaming(unit)) return 'deviceLog.onlyIdle'
  if (unit.capabilities.logs !== true) return 'deviceLog.cannot'
  return unit.applications?.fetchlogs === undefined ? undefined : 'deviceLog.running'
}
