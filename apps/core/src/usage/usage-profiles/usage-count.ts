// The usage of a unit: when its count starts again, and its total. Pure.
import type { Unit } from '@backhaul/contract/nouns/units'
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'

export interface UsageCount {
  /** The reset day that it began on, or when the unit was first counted. */
  fromMs: number
  bytes: number
  streamingMs: number
}

/** The continued count: what was counted before the period is dropped. */
export const countIn = (count: UsageCount | undefined, startMs: number): UsageCount =>
  count && count.fromMs >= startMs ? count : { fromMs: startMs, bytes: 0, streamingMs: 0 }

/** Adds what was used since, each second for every unit. */
export function addTo(count: UsageCount, used: { modemBytes: number; streamingMs: number }): void {
  count.bytes += Math.round(used.modemBytes)
  count.streamingMs += used.streamingMs
}

const tenths = (value: number): number => Math.round(value * 10) / 10

const usedOf = ({ type }: UsageProfile, { bytes, streamingMs }: UsageCount): number =>
  type === 'data' ? bytes / 1_000_000 : streamingMs / 3_600_000

/** More than the limit was used. */
export const isOver = (profile: UsageProfile | undefined, count: UsageCount): boolean =>
  profile !== undefined && usedOf(profile, count) > profile.monthlyLimit

/** The usage as a unit shows it. */
export function usageOf(
  profile: UsageProfile | undefined,
  count: UsageCount,
): Pick<Unit, 'usage' | 'usageInfo' | 'usageProfileId'> {
  if (!profile) return { usage: null, usageInfo: null, usageProfileId: null }
  const { id, type, monthlyLimit: limit, resetDay } = profile
  const shown = tenths(usedOf(profile, count))
  return {
    usage: shown,
    usageInfo: { type, used: shown, limit, resetDay, overUsage: isOver(profile, count) },
    usageProfileId: id,
  }
}
