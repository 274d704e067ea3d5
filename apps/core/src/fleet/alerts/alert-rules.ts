// When an alert is active: pure rules over what a unit or a server shows (GAP-ALERT-01, -04).
import type { AlertsConfiguration, AlertThresholds } from '@backhaul/contract/nouns/alert-configuration'
import {
  type Alert,
  type AlertSeverity,
  type AlertType,
  alertThresholds,
  severityAbove,
  severityBelow,
} from '@backhaul/contract/nouns/alerts'
import type { Battery } from '@backhaul/contract/nouns/battery'
import { isActiveForAlerts, type StatusBasis } from '@backhaul/contract/nouns/unit-status'
import type { Camera } from '@backhaul/contract/nouns/units'
import { type Bitrate, bitrateSeverity } from './bitrate-watch.ts'
import type { Failed } from './server-failures.ts'

export type StandingAlert = Pick<Alert, 'type' | 'severity' | 'value' | 'about' | 'reason' | 'cause'>

export interface UnitSituation {
  unit: StatusBasis
  battery: Battery | null
  /** Undefined while none is known; active alerts are then kept. */
  bitrate: Bitrate | undefined
  /** A transmission that is to continue; its alerts are kept until it ends. */
  isWanted: boolean
  /** It is to stop; a lower bit rate is expected. */
  isEnding: boolean
  /** The time from which the camera is missing; undefined while it is present or unknown. */
  cameraGoneSinceMs: number | undefined
  /** The camera of each socket. */
  cameras: readonly Camera[]
  nowMs: number
}

/**
 * Battery always; the others are raised only for units that are active for alerts (ST-PRED-07, GAP-ALERT-04).
 * `standing` are those that are shown already: they clear with a margin.
 */
export function unitAlerts(
  situation: UnitSituation,
  by: AlertsConfiguration,
  standing: readonly StandingAlert[],
): readonly StandingAlert[] {
  const { thresholds } = by
  const isActive = isActiveForAlerts(situation.unit)
  const battery = batteryAlert(situation.battery, thresholds, activeOf('battery', standing))
  const bitrate = bitrateAlert(situation, isActive, thresholds, activeOf('bitrateDrop', standing))
  const camera = isActive ? cameraAlert(situation, thresholds) : undefined
  const losses = isActive ? lossAlerts(situation, thresholds, standing) : none
  // The usual case; every unit is checked each second.
  if (!battery && !bitrate && !camera && losses.length === 0) return none
  return graveEnough([battery, bitrate, camera, ...losses], by)
}

const activeOf = (type: AlertType, standing: readonly StandingAlert[]): AlertSeverity | undefined =>
  standing.find((one) => one.type === type)?.severity

const none: readonly StandingAlert[] = []

const graveEnough = (
  alerts: readonly (StandingAlert | undefined)[],
  { severity }: AlertsConfiguration,
): readonly StandingAlert[] =>
  alerts.filter(
    (alert) => alert !== undefined && (severity === 'warning' || alert.severity === 'critical'),
  ) as StandingAlert[]

/** A charging battery recovers by itself. */
function batteryAlert(
  battery: Battery | null,
  by: AlertThresholds,
  active: AlertSeverity | undefined,
): StandingAlert | undefined {
  if (!battery?.connected || battery.charging || battery.percentage === null) return undefined
  const severity = severityBelow(battery.percentage, by.batteryPercent, active)
  return severity && { type: 'battery', severity, value: Math.round(battery.percentage) }
}

/** A unit that is offline or starts again does not clear it: as long as its transmission is wanted, the cause remains. */
function bitrateAlert(
  { bitrate, isWanted, isEnding }: UnitSituation,
  isActive: boolean,
  by: AlertThresholds,
  active: AlertSeverity | undefined,
): StandingAlert | undefined {
  if (isEnding) return undefined
  if (!bitrate || !isActive) {
    const severity = isActive || isWanted ? active : undefined
    return severity && { type: 'bitrateDrop', severity, value: null }
  }
  const severity = bitrateSeverity(bitrate, active, by.bitrateDropPercent)
  return severity && { type: 'bitrateDrop', severity, value: Math.round(bitrate.kbps) }
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

/** Each camera that loses frames in the unit. */
const lossAlerts = (
  { cameras }: UnitSituation,
  by: AlertThresholds,
  standing: readonly StandingAlert[],
): StandingAlert[] =>
  cameras.flatMap(({ frameLoss }, at) => {
    const about = cameras.length > 1 ? { id: `camera ${at + 1}`, name: String(at + 1) } : undefined
    const active = standing.find((one) => one.type === 'encoderBehind' && one.about?.id === about?.id)
    const severity = frameLoss && severityAbove(frameLoss.percent, by.frameLossPercent, active?.severity)
    if (!severity) return []
    const { percent, reason, cause } = frameLoss
    return {
      type: 'encoderBehind',
      severity,
      value: percent,
      ...(about && { about }),
      reason,
      ...(cause && { cause }),
    }
  })

const failureAlert = (failure: Omit<Failed, 'channelId'>): StandingAlert => ({
  ...failure,
  severity: 'critical',
  value: null,
})

export interface ServerUsage {
  cpuPercent: number
  storagePercent: number
}

/** `failures` are those that the group can see; `standing` are those that are shown already. */
export function serverAlerts(
  usage: ServerUsage | null,
  failures: readonly Failed[],
  by: AlertsConfiguration,
  standing: readonly StandingAlert[],
): readonly StandingAlert[] {
  if (!usage) return none
  const { serverCpuPercent, serverStoragePercent, destinationFailed, serverFailed } = by.thresholds
  const cpu = severityAbove(usage.cpuPercent, serverCpuPercent, activeOf('serverCpu', standing))
  const storage = severityAbove(
    usage.storagePercent,
    serverStoragePercent,
    activeOf('serverStorage', standing),
  )
  return graveEnough(
    [
      cpu && { type: 'serverCpu', severity: cpu, value: Math.round(usage.cpuPercent) },
      storage && { type: 'serverStorage', severity: storage, value: Math.round(usage.storagePercent) },
      ...failures
        .filter(({ type }) => (type === 'destinationFailed' ? destinationFailed : serverFailed))
        .map(({ channelId: _, ...failure }) => failureAlert(failure)),
    ],
    by,
  )
}
