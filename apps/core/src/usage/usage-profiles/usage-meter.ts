// Adds up what every unit uses, month by month, and shows it on the unit.
import { periodStart, type UsageProfile } from '@backhaul/contract/nouns/usage-profiles'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import { counted, countIn, type UsageCount, usageOf } from './usage-count.ts'
import { allProfiles, readCounts, saveCounts } from './usage-profile-table.ts'

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  units: Units
}

/** A crash of core loses at most what was used in this time. */
const writePeriodMs = 60_000
/** Without any profile the count follows the calendar. */
const usualResetDay = 1

export function createUsageMeter({ db, clock, log, events, units }: Needs) {
  const showUsage = units.provide('usage', 'usageInfo', 'usageProfileId')
  let profiles: readonly UsageProfile[] = []
  let profileOfUnit = new Map<string, UsageProfile>()
  let counts = new Map<string, UsageCount>()
  let touched = new Set<string>()
  let timer: Timer | undefined
  let writing: Promise<void> = Promise.resolve()

  /** Its own; else the default of its inventory, for data before that for hours. */
  function profileOf(unitId: string): UsageProfile | undefined {
    const own = profileOfUnit.get(unitId)
    if (own) return own
    const inventoryId = units.values(unitId)?.inventoryId
    const defaults = profiles.filter((one) => one.isDefault && one.inventoryId === inventoryId)
    return defaults.find(({ type }) => type === 'data') ?? defaults[0]
  }

  /** The count of the present period. */
  function countOf(unitId: string, profile: UsageProfile | undefined): UsageCount {
    const startMs = periodStart(clock.nowMs(), profile?.resetDay ?? usualResetDay)
    return countIn(counts.get(unitId), startMs)
  }

  function show(unitId: string): void {
    const profile = profileOf(unitId)
    showUsage(unitId, usageOf(profile, countOf(unitId, profile)))
  }

  function showAll(): void {
    for (const { uid } of units.all()) show(uid)
  }

  events.on('unitUsed', ({ unitId, ...used }) => {
    counts.set(unitId, counted(countOf(unitId, profileOf(unitId)), used))
    touched.add(unitId)
  })
  events.on('deviceRegistered', ({ deviceId, kind }) => {
    if (kind === 'unit') show(deviceId)
  })

  events.on('deviceRemoved', ({ deviceId }) => void counts.delete(deviceId))

  function write(): Promise<void> {
    const due = new Map(
      [...touched].flatMap((id) => (counts.has(id) ? [[id, counts.get(id) as UsageCount]] : [])),
    )
    touched = new Set()
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
    profiles = await allProfiles(db)
    profileOfUnit = new Map(profiles.flatMap((one) => one.units.map((unitId) => [unitId, one] as const)))
    showAll()
  }

  return {
    /** The profiles changed: every unit is measured by its present one. */
    reread,
    async start(): Promise<void> {
      counts = new Map(await readCounts(db))
      await reread()
      timer = clock.setInterval(() => {
        showAll()
        void write()
      }, writePeriodMs)
    },
    async stop(): Promise<void> {
      if (timer) clock.clearInterval(timer)
      await write()
    },
  }
}
