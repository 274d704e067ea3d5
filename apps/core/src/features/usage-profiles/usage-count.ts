// What a unit used: how it is counted from its figures, when the count begins anew, what it comes to. Pure.
import type { UnitSample } from '@backhaul/contract/gateway/units'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { UsageProfile } from '@backhaul/contract/nouns/usage-profiles'

export interface UsageCount {
  /** The reset day that it began on, or the moment from which the unit was counted at all. */
  fromMs: number
  bytes: number
  sendingMs: number
}

/** A unit measures itself once in this time. */
const sampleMs = 1000

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/**
 * The newest midnight (UTC) of a reset day that is not after `nowMs`. A month that is too short for the day has its last
 * day instead (GAP-PROF-01).
 */
export function periodStart(nowMs: number, resetDay: number): number {
  const now = new Date(nowMs)
  const year = now.getUTCFullYear()
  const inMonth = (month: number) => Date.UTC(year, month, Math.min(resetDay, daysIn(year, month)))
  const thisMonth = inMonth(now.getUTCMonth())
  return thisMonth <= nowMs ? thisMonth : inMonth(now.getUTCMonth() - 1)
}

/** The count as it goes on: what was counted before the period is left behind. */
export const countIn = (count: UsageCount | undefined, startMs: number): UsageCount =>
  count && count.fromMs >= startMs ? count : { fromMs: startMs, bytes: 0, sendingMs: 0 }

/** With one more sample: both ways of the named links, which are those that cost money. */
export function counted(count: UsageCount, sample: UnitSample, ports: ReadonlySet<number>): UsageCount {
  let kbps = 0
  for (const link of sample.links) if (link.up && ports.has(link.port)) kbps += link.kbps + link.downKbps
  return {
    fromMs: count.fromMs,
    // 1 kbps for 1 ms is one bit.
    bytes: count.bytes + Math.round((kbps * sampleMs) / 8),
    sendingMs: count.sendingMs + (sample.encoderKbps === null ? 0 : sampleMs),
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10

/** What a unit shows of its usage; over it is whoever used more than the limit. */
export function usageOf(
  profile: UsageProfile | undefined,
  count: UsageCount,
): Pick<Unit, 'usage' | 'usageInfo' | 'usageProfileId'> {
  if (!profile) return { usage: null, usageInfo: null, usageProfileId: null }
  const { id, type, monthlyLimit: limit, resetDay } = profile
  const used = type === 'data' ? count.bytes / 1_000_000 : count.sendingMs / 3_600_000
  const shown = tenths(used)
  return {
    usage: shown,
    usageInfo: { type, used: shown, limit, resetDay, overUsage: used > limit },
    usageProfileId: id,
  }
}
