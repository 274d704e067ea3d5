/**
 * From which values on alerts are shown (EN-ALCONF rows). Whose configuration holds for a unit in a group: automatic is
 * that of the system, byGroup the group's, manual the unit's own (GAP-ALERT-05). A unit that has none of its own
 * follows the mode of the group; servers always do.
 */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { AlertSeverity, alertThresholds } from './alerts.ts'

export const AlertsMode = z.enum(['automatic', 'byGroup', 'manual'])
export type AlertsMode = z.infer<typeof AlertsMode>

const Percent = z.number().int().min(1).max(100)
const pair = z.strictObject({ warning: Percent, critical: Percent })
const fault = (message: string) => ({ message, path: ['critical'] })
const badWhenLow = pair.refine(({ warning, critical }) => critical < warning, fault(rule('threshold.below')))
const badWhenHigh = pair.refine(({ warning, critical }) => critical > warning, fault(rule('threshold.above')))

export const AlertThresholds = z.strictObject({
  batteryPercent: badWhenLow.describe('Of what is left'),
  serverCpuPercent: badWhenHigh,
  serverStoragePercent: badWhenHigh,
  bitrateDropPercent: badWhenHigh.describe('Under the mean of the minute before the drop'),
  cameraDisconnected: z.boolean(),
})
export type AlertThresholds = z.infer<typeof AlertThresholds>

export const AlertsConfiguration = z.strictObject({
  mode: AlertsMode,
  thresholds: AlertThresholds,
  severity: AlertSeverity.describe('Those that are less grave are not shown'),
})
export type AlertsConfiguration = z.infer<typeof AlertsConfiguration>

const { cameraDisconnectedMs: _, ...percents } = alertThresholds

/** What holds where nobody has said otherwise (EP-ALERT-02, GAP-ALERT-01). */
export const defaultAlertsConfiguration: AlertsConfiguration = {
  mode: 'automatic',
  thresholds: { ...percents, cameraDisconnected: true },
  severity: 'warning',
}

/** What holds for a device in a group; `own` is what a unit has said for itself. */
export function configurationFor(
  group: AlertsConfiguration | undefined,
  own: AlertsConfiguration | undefined,
): AlertsConfiguration {
  const mode = own?.mode ?? group?.mode ?? 'automatic'
  const held = { automatic: undefined, byGroup: group, manual: own }[mode]
  return held ?? defaultAlertsConfiguration
}
