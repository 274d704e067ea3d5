/** Active alerts and their order (EN-ALERT rows, GAP-ALERT-01 values). */
import { z } from 'zod'
import { ReasonCause } from '../define/refusals.ts'

export const AlertSeverity = z.enum(['warning', 'critical'])
export type AlertSeverity = z.infer<typeof AlertSeverity>
/** The parts that a server can report as failed to start. */
export const serverFailures = [
  'recordingFailed',
  'returnFailed',
  'ifbFailed',
  'tallyFailed',
  'databridgeFailed',
  'ipPipeFailed',
  'webFailed',
] as const

export const AlertType = z.enum([
  'battery',
  'cameraDisconnected',
  'serverCpu',
  'serverStorage',
  'bitrateDrop',
  'encoderBehind',
  'destinationFailed',
  ...serverFailures,
])
export type AlertType = z.infer<typeof AlertType>

/** All others are about units. */
export const isOfServer = (type: AlertType): boolean =>
  !['battery', 'cameraDisconnected', 'bitrateDrop', 'encoderBehind'].includes(type)

export const Alert = z.object({
  id: z.string(),
  uid: z.string().describe('The unit or server that it is about'),
  name: z.string(),
  severity: AlertSeverity,
  type: AlertType,
  since: z.number().describe('Milliseconds since 1970'),
  value: z
    .number()
    .nullable()
    .default(null)
    .describe(
      'The measured value: percent (of the frames for encoderBehind), or kbps for bitrateDrop; while the alert is active it is updated in steps (isOtherValue)',
    ),
  about: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .describe('What of the device fails: a destination with its channel, a channel, an IFB, or a camera'),
  reason: z.string().optional().describe('Why it fails, without secrets'),
  cause: ReasonCause,
})
export type Alert = z.infer<typeof Alert>

/** Critical first, then the newest. */
export const byUrgency = (a: Alert, b: Alert): number =>
  a.severity === b.severity ? b.since - a.since : a.severity === 'critical' ? -1 : 1

export const alertThresholds = {
  batteryPercent: { warning: 20, critical: 10 },
  serverCpuPercent: { warning: 80, critical: 95 },
  serverStoragePercent: { warning: 80, critical: 95 },
  bitrateDropPercent: { warning: 30, critical: 60 },
  frameLossPercent: { warning: 5, critical: 25 },
  cameraDisconnectedMs: 5000,
} as const

/** How the bit rate of a transmission is judged, in addition to the thresholds that users set. */
export const bitrateLimits = {
  /** The mean is taken over this many seconds; fewer than `meanAtLeastS` give no mean. */
  meanS: 60,
  meanAtLeastS: 15,
  /**
   * A transmission below it carries practically nothing: encoders go no lower than 250 kbps of video, and no limit is
   * below 1000 kbps. After `floorAfterMs` it is critical, regardless of the earlier rate; over links that are up,
   * connecting may take `connectingMs`.
   */
  floorKbps: 100,
  floorAfterMs: 5000,
  connectingMs: 15_000,
  /** A transmission that began below the floor has recovered at this rate. */
  recoveredKbps: 200,
} as const

/**
 * The distance by which a percentage has to recover beyond the threshold that raised its alert before the alert clears,
 * so that it does not come and go: this share of the threshold, and at most `atMostPoints` percentage points.
 */
const clearingMargin = { share: 0.2, atMostPoints: 10 } as const

const marginOf = (threshold: number): number =>
  Math.min(threshold * clearingMargin.share, clearingMargin.atMostPoints)

const percentSteps: Partial<Record<AlertType, number>> = {
  battery: 1,
  serverCpu: 5,
  serverStorage: 5,
  encoderBehind: 5,
}

/** Whether the value of an active alert has changed enough to be shown again; null is no new value. */
export function isOtherValue(type: AlertType, shown: number | null, now: number | null): boolean {
  if (now === null) return false
  if (shown === null) return true
  const step = type === 'bitrateDrop' ? Math.max(shown, bitrateLimits.floorKbps) / 4 : percentSteps[type]
  return step !== undefined && Math.abs(now - shown) >= step
}

interface Limits {
  warning: number
  critical: number
}

/**
 * Severity of a percentage that is bad when high, or undefined when it is fine. With the severity of an `active` alert
 * the alert clears, or is a warning again, only below the threshold by the margin.
 */
export function severityAbove(
  value: number,
  limits: Limits,
  active: AlertSeverity | undefined,
): AlertSeverity | undefined {
  const held = (threshold: number) => threshold - marginOf(threshold)
  if (value >= (active === 'critical' ? held(limits.critical) : limits.critical)) return 'critical'
  return value >= (active ? held(limits.warning) : limits.warning) ? 'warning' : undefined
}

/** The same as `severityAbove` for a percentage that is bad when low; one of 100 always clears an alert. */
export function severityBelow(
  value: number,
  limits: Limits,
  active: AlertSeverity | undefined,
): AlertSeverity | undefined {
  const isHeld = (threshold: number) => value <= threshold + marginOf(threshold) && value < 100
  if (value <= limits.critical || (active === 'critical' && isHeld(limits.critical))) return 'critical'
  return value <= limits.warning || (active && isHeld(limits.warning)) ? 'warning' : undefined
}
