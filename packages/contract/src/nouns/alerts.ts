/** Active alerts and their order (EN-ALERT rows, GAP-ALERT-01 values). */
import { z } from 'zod'

export const AlertSeverity = z.enum(['warning', 'critical'])
export type AlertSeverity = z.infer<typeof AlertSeverity>
export const AlertType = z.enum([
  'battery',
  'cameraDisconnected',
  'serverCpu',
  'serverStorage',
  'bitrateDrop',
])
export type AlertType = z.infer<typeof AlertType>

export const Alert = z.object({
  id: z.string(),
  uid: z.string().describe('The unit or server that it is about'),
  name: z.string(),
  severity: AlertSeverity,
  type: AlertType,
  since: z.number().describe('Milliseconds since 1970'),
  value: z.number().nullable().default(null).describe('The measured value: percent, or kbps for bitrateDrop'),
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
  cameraDisconnectedMs: 5000,
} as const

/** Severity of a value that is bad when high, or undefined when it is fine. */
export function severityAbove(
  value: number,
  limits: { warning: number; critical: number },
): AlertSeverity | undefined {
  if (value >= limits.critical) return 'critical'
  return value >= limits.warning ? 'warning' : undefined
}

/** Severity of a value that is bad when low, or undefined when it is fine. */
export function severityBelow(
  value: number,
  limits: { warning: number; critical: number },
): AlertSeverity | undefined {
  if (value <= limits.critical) return 'critical'
  return value <= limits.warning ? 'warning' : undefined
}
