// When an alert stands: pure rules over what a unit or a server shows (GAP-ALERT-01, -04).
import type { AlertsConfiguration, AlertThresholds } from '@backhaul/contract/nouns/alert-configuration'
import {
  type AlertSeverity,
  type AlertType,
  alertThresholds,
  severityAbove,
  severityBelow,
} from '@backhaul/contract/nouns/alerts'
import type { Battery } from '@backhaul/contract/nouns/battery'
import { isActiveForAlerts, type StatusBasis } from '@backhaul/contract/nouns/unit-status'

export interface StandingAlert {
  type: AlertType
  severity: AlertSeverity
  value: number | null
}

export interface UnitSituation {
  unit: StatusBasis
  battery: Battery | null
  /** Sent over all links, newest last, one a second, at most a minute. */
  kbps: readonly number[]
  /** Since when the camera is gone; undefined while it is there or not known of. */
  cameraGoneSinceMs: number | undefined
  nowMs: number
}

/** Fewer seconds say nothing about a mean. */
const secondsAtLeast = 15

/** Battery always; the others only for units that are active for alerts (ST-PRED-07, GAP-ALERT-04). */
export function unitAlerts(situation: UnitSituation, by: AlertsConfiguration): StandingAlert[] {
  const { thresholds } = by
  const alerts = [batteryAlert(situation.battery, thresholds)]
  if (isActiveForAlerts(situation.unit))
    alerts.push(bitrateAlert(situation.kbps, thresholds), cameraAlert(situation, thresholds))
  return graveEnough(alerts, by)
}

const graveEnough = (
  alerts: readonly (StandingAlert | undefined)[],
  { severity }: AlertsConfiguration,
): StandingAlert[] =>
  alerts.filter(
    (alert) => alert !== undefined && (severity === 'warning' || alert.severity === 'critical'),
  ) as StandingAlert[]

/** A charging battery recovers by itself. */
function batteryAlert(battery: Battery | null, by: AlertThresholds): StandingAlert | undefined {
  if (!battery?.connected || battery.charging || battery.percentage === null) return undefined
  const severity = severityBelow(battery.percentage, by.batteryPercent)
  return severity && { type: 'battery', severity, value: Math.round(battery.percentage) }
}

/** How far the newest second is under the mean of the last minute. */
function bitrateAlert(kbps: readonly number[], by: AlertThresholds): StandingAlert | undefined {
  const newest = kbps.at(-1)
  if (newest === undefined || kbps.length < secondsAtLeast) return undefined
  const mean = kbps.reduce((sum, value) => sum + value, 0) / kbps.length
  if (mean <= 0) return undefined
  const severity = severityAbove(((mean - newest) / mean) * 100, by.bitrateDropPercent)
  return severity && { type: 'bitrateDrop', severity, value: Math.round(newest) }
}

function cameraAlert(
  { cameraGoneSinceMs, nowMs }: UnitSituation,
  by: AlertThresholds,
): StandingAlert | undefined {
  const isGone =
    by.cameraDisconnected &&
    cameraGoneSinceMs !== undefined &&
    nowMs - cameraGoneSinceMs >= alertThresholds.cameraDisconnectedMs
  return isGone ? { type: 'cameraDisconnected', severity: 'critical', value: null } : undefined
}

export interface ServerUsage {
  cpuPercent: number
  storagePercent: number
}

export function serverAlerts(usage: ServerUsage | null, by: AlertsConfiguration): StandingAlert[] {
  if (!usage) return []
  const cpu = severityAbove(usage.cpuPercent, by.thresholds.serverCpuPercent)
  const storage = severityAbove(usage.storagePercent, by.thresholds.serverStoragePercent)
  return graveEnough(
    [
      cpu && { type: 'serverCpu', severity: cpu, value: Math.round(usage.cpuPercent) },
      storage && { type: 'serverStorage', severity: storage, value: Math.round(usage.storagePercent) },
    ],
    by,
  )
}
