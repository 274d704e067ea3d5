// Adds up what every unit uses, month by month, and shows it on the unit.
import { periodStart, type UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import { addTo, countIn, isOver, type UsageCount, usageOf } from './usage-count.ts'
import { allProfiles, readCounts, saveCounts } from './usage-profile-table.ts'

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  units: Units
}

/**
 * In every turn counts of a part of the fleet are written, of each unit once a minute: a crash of core loses at most what was
 * used in this time, and users do not wait for the whole fleet.
 */
const turnMs = 2000
const turnsPerRound = 30
const showPeriodMs = turnMs * turnsPerRound
/** The first day of the count of a customer without a profile, which follows the calendar. */
const usualResetDay = 1
const dayMs = 86_400_000

/** The default profile of each inventory: the first for data, else the first. */
function defaultsOf(profiles: readonly UsageProfile[]): Map<string, UsageProfile> {
  const defaults = new Map<string, UsageProfile>()
  for (const one of profiles) {
    if (!one.isDefault) continue
    const known = defaults.get(one.inventoryId)
    if (!known || (known.type !== 'data' && one.type === 'data')) defaults.set(one.inventoryId, one)
  }
  return defaults
}

export function createUsageMeter({ db, clock, log, events, units }: Needs) {
  const showUsage = units.provide('usage', 'usageInfo', 'usageProfileId')
  /** The default profiles by inventory. */
  let defaults: ReadonlyMap<string, UsageProfile> = new Map()
  let profileOfUnit = new Map<string, UsageProfile>()
  /** By reset day, and of which day they are. */
  const starts = new Map<number, number>()
  let startsOn = Number.NaN
  let counts = new Map<string, UsageCount>()
  const touched = new Set<string>()
  let timers: Timer[] = []
  let writing: Promise<void> = Promise.resolve()

  /** Its own; else the default of its inventory, for data before that for hours. */
  function profileOf(unitId: string): UsageProfile | undefined {
    const own = profileOfUnit.get(unitId)
    if (own) return own
    return defaults.get(units.kept(unitId)?.inventoryId ?? '')
  }

  /** Units are counted each second, and a period begins at midnight (UTC). */
  function startOf(resetDay: number): number {
    const nowMs = clock.nowMs()
    const day = Math.floor(nowMs / dayMs)
    if (day !== startsOn) starts.clear()
    startsOn = day
    const known = starts.get(resetDay) ?? periodStart(nowMs, resetDay)
    starts.set(resetDay, known)
    return known
  }

  /** The count of the present period. */
  function countOf(unitId: string, profile: UsageProfile | undefined): UsageCount {
    return countIn(counts.get(unitId), startOf(profile?.resetDay ?? usualResetDay))
  }

  function show(unitId: string): void {
    const profile = profileOf(unitId)
    const count = countOf(unitId, profile)
    showUsage(unitId, usageOf(profile, count))
    if (isOver(profile, count)) events.emit('unitOverUsage', { unitId })
  }

  function showAll(): void {
    for (const { uid } of units.all()) show(uid)
  }

  events.on('unitUsed', (used) => {
    const { unitId } = used
    const profile = profileOf(unitId)
    const count = countOf(unitId, profile)
    const wasOver = isOver(profile, count)
    addTo(count, used)
    counts.set(unitId, count)
    touched.add(unitId)
    if (!wasOver && isOver(profile, count)) show(unitId)
  })
  events.on('deviceRegistered', ({ deviceId, kind }) => {
    if (kind === 'unit') show(deviceId)
  })

  events.on('deviceRemoved', ({ deviceId }) => void counts.delete(deviceId))

  /** At most this many of the units whose counts have changed, those that have waited longest. */
  function write(most: number): Promise<void> {
    const due = new Map<string, UsageCount>()
    for (const id of touched) {
      if (due.size >= most) break
      touched.delete(id)
      const count = counts.get(id)
      if (count) due.set(id, count)
    }
    if (due.size === 0) return writing
    writing = writing
      .then(() => saveCounts(db, due))
      .catch((error) => {
        log.error({ err: error }, 'usage not stored')
        for (const id of due.keys()) if (counts.has(id)) touched.add(id)
      })
    return writing
  }

  async function reread(): Promise<void> {
    const profiles = await allProfiles(db)
    defaults = defaultsOf(profiles)
    profileOfUnit = new Map(profiles.flatMap((one) => one.units.map((unitId) => [unitId, one] as const)))
    showAll()
  }

  return {
    /** The profiles changed: every unit is measured by its present one. */
    reread,
    async start(): Promise<void> {
      counts = new Map(await readCounts(db))
      await reread()
      timers = [
        clock.setInterval(() => void write(Math.max(20, Math.ceil(counts.size / turnsPerRound))), turnMs),
        clock.setInterval(showAll, showPeriodMs),
      ]
    },
    async stop(): Promise<void> {
      for (const timer of timers) clock.clearInterval(timer)
      await write(Number.POSITIVE_INFINITY)
    },
  }
}
