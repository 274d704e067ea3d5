/**
 * Thresholds of alerts (EN-ALCONF rows). The configuration that applies to a unit in a group: automatic is that of the
 * system, byGroup the group's, manual the unit's own (GAP-ALERT-05). A unit without its own follows the group; servers
 * always do.
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
  batteryPercent: badWhenLow.describe('Of the remaining charge'),
  serverCpuPercent: badWhenHigh,
  serverStoragePercent: badWhenHigh,
  bitrateDropPercent: badWhenHigh.describe('Below the mean of the minute before the drop'),
  cameraDisconnected: z.boolean(),
  frameLossPercent: badWhenHigh
    .default(alertThresholds.frameLossPercent)
    .describe('Of the frames of a camera on air that the unit loses'),
  destinationFailed: z.boolean().default(true),
  serverFailed: z
    .boolean()
    .default(true)
    .describe('Of recordings, video returns, IFBs, tallies, databridges and IP pipes'),
})
export type AlertThresholds = z.infer<typeof AlertThresholds>

export const AlertsConfiguration = z.strictObject({
  mode: AlertsMode,
  thresholds: AlertThresholds,
  severity: AlertSeverity.describe('Less severe ones are not shown'),
})
export type AlertsConfiguration = z.infer<typeof AlertsConfiguration>

const { cameraDisconnectedMs: _, ...percents } = alertThresholds

/** The default (EP-ALERT-02, GAP-ALERT-01). */
export const defaultAlertsConfiguration: AlertsConfiguration = {
  mode: 'automatic',
  thresholds: { ...percents, cameraDisconnected: true, destinationFailed: true, serverFailed: true },
  severity: 'warning',
}

/** One that an earlier version has stored has the default of what that did not know. */
export const completed = (stored: AlertsConfiguration): AlertsConfiguration => ({
  ...stored,
  thresholds: { ...defaultAlertsConfiguration.thresholds, ...stored.thresholds },
})

/** The configuration of a unit for which nothing was set. */
export const firstConfigurationOfUnit: AlertsConfiguration = {
  ...defaultAlertsConfiguration,
  mode: 'byGroup',
}

/** The thresholds of a group count in its mode byGroup. */
export const configurationOfGroup = (group: AlertsConfiguration | undefined): AlertsConfiguration =>
  group?.mode === 'byGroup' ? group : defaultAlertsConfiguration

/** The configuration that applies to a device in a group; `own` is the unit's own one. */
export function configurationFor(
  group: AlertsConfiguration | undefined,
  own: AlertsConfiguration = firstConfigurationOfUnit,
): AlertsConfiguration {
  if (own.mode === 'automatic') return defaultAlertsConfiguration
  return own.mode === 'manual' ? own : configurationOfGroup(group)
}
