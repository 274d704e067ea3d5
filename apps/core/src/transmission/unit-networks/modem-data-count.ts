// The data that a modem has used of its limit since the reset day. Pure.
import type { UnitSample } from '@backhaul/contract/gateway/units'
import type { DataMonitoring, DataUse } from '@backhaul/contract/nouns/unit-networks'
import { periodStart } from '@backhaul/contract/nouns/usage-profiles'

export interface ModemData {
  monitoring: DataMonitoring
  /** The reset day that it began on, or when it was first counted. */
  fromMs: number
  bytes: number
  connectedMs: number
}

export const newCount = (monitoring: DataMonitoring, nowMs: number): ModemData => ({
  monitoring,
  fromMs: periodStart(nowMs, monitoring.resetDay),
  bytes: 0,
  connectedMs: 0,
})

/** The count of the present period: what was counted before it is dropped. */
export function countNow(data: ModemData, nowMs: number): ModemData {
  const startMs = periodStart(nowMs, data.monitoring.resetDay)
  return data.fromMs >= startMs ? data : newCount(data.monitoring, nowMs)
}

const tenths = (value: number): number => Math.round(value * 10) / 10

/** null while nothing is watched. */
export function useOf({ monitoring, bytes, connectedMs }: ModemData): DataUse | null {
  const { mode, limit } = monitoring
  if (mode === 'none') return null
  const used = mode === 'per data' ? bytes / 1_000_000 : connectedMs / 3_600_000
  return { used: tenths(used), overLimit: used > limit }
}

/** Whether the limit is passed with `now`, and was not before. */
export const passesLimit = (before: ModemData, now: ModemData): boolean =>
  useOf(before)?.overLimit !== true && useOf(now)?.overLimit === true

interface Measure {
  /** When the sample before the first was taken, by the unit's clock. */
  before: number | undefined
  /** The interval at which the unit sends samples. */
  intervalMs: number
}

/** The use by samples in their order of the modem at this port: both directions, and the time that it was connected. */
export function usedBy(
  port: number,
  samples: readonly UnitSample[],
  { before, intervalMs }: Measure,
): { bytes: number; connectedMs: number } {
  let [bytes, connectedMs] = [0, 0]
  let last = before ?? (samples[0]?.ts ?? 0) - intervalMs
  for (const { ts, links } of samples) {
    // A longer gap was not measured.
    const ms = Math.min(Math.max(ts - last, 0), 2 * intervalMs)
    const link = links.find((one) => one.port === port)
    // 1 kbps for 1 ms is one bit.
    if (link?.up) bytes += ((link.kbps + link.downKbps) * ms) / 8
    if (link?.up) connectedMs += ms
    last = ts
  }
  return { bytes, connectedMs }
}
