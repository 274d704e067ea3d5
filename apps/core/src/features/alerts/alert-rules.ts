// When an alert stands: pure rules over what a unit or a server shows (GAP-ALERT-01, -04).
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
export function unitAlerts(situation: UnitSituation): StandingAlert[] {
  const alerts = [batteryAlert(situation.battery)]
  if (isActiveForAlerts(situation.unit)) alerts.push(bitrateAlert(situation.kbps), cameraAlert(situation))
  return alerts.filter((alert) => alert !== undefined)
}

/** A charging battery recovers by itself. */
function batteryAlert(battery: Battery | null): StandingAlert | undefined {
  if (!battery?.connected || battery.charging || battery.percentage === null) return undefined
  const severity = severityBelow(battery.percentage, alertThresholds.batteryPercent)
  return severity && { type: 'battery', severity, value: Math.round(battery.percentage) }
}

/** How far the newest second is under the mean of the last minute. */
function bitrateAlert(kbps: readonly number[]): StandingAlert | undefined {
  const newest = kbps.at(-1)
  if (newest === undefined || kbps.length < secondsAtLeast) return undefined
  const mean = kbps.reduce((sum, value) => sum + value, 0) / kbps.length
  if (mean <= 0) return undefined
  const severity = severityAbove(((mean - newest) / mean) * 100, alertThresholds.bitrateDropPercent)
  return severity && { type: 'bitrateDrop', severity, value: Math.round(newest) }
}

function cameraAlert({ cameraGoneSinceMs, nowMs }: UnitSituation): StandingAlert | undefined {
  const isGone =
    cameraGoneSinceMs !== undefined && nowMs - cameraGoneSinceMs >= alertThresholds.cameraDisconnectedMs
  return isGone ? { type: 'cameraDisconnected', severity: 'critical', value: null } : undefined
}

export function serverAlerts(usage: { cpuPercent: number; storagePercent: number } | null): StandingAlert[] {
  if (!usage) return []
  const cpu = severityAbove(usage.cpuPercent, alertThresholds.serverCpuPercent)
  const storage = severityAbove(usage.storagePercent, alertThresholds.serverStoragePercent)
  return [
    ...(cpu ? [{ type: 'serverCpu' as const, severity: cpu, value: Math.round(usage.cpuPercent) }] : []),
    ...(storage
      ? [{ type: 'serverStorage' as const, severity: storage, value: Math.round(usage.storagePercent) }]
      : []),
  ]
}
