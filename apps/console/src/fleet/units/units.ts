// The units for other parts of the console: the fleet in numbers, the chosen unit, the filter by a counter.
import { startButton, type UnitLabel } from '@backhaul/contract/nouns/unit-status'
import { countUnits, type UnitCounters } from '@backhaul/contract/nouns/units'
import { useMemo, useSyncExternalStore } from 'react'
import {
  preferences,
  setFilter,
  setPreferences,
  useFilter,
  usePreference,
} from '../../session/preferences/preferences.ts'
import { type KeyedStore, useItem } from '../../ui/keyed-store.ts'
import { sameItems } from '../../ui/same-items.ts'
import { useValue } from '../../ui/value.ts'
import { sharingAsked } from './asked.ts'
import type { ListRow } from './list-row.ts'
import { type FilterFacet, ofUnitsAlone, onlyThese, unitFilter } from './unit-filter.ts'
import {
  alertsOf,
  byName,
  labelBasis,
  labelKeys,
  labelOf,
  lookOf,
  startRefusal,
} from './unit-presentation.ts'
import { enterUnitsOf, type LiveUnit, startUnitsLive, unitStore, unitsState } from './units-live.ts'
import { useUnitActions } from './use-unit-actions.ts'

/** The keys that act on one unit, wherever it is shown; the sheet of keys, menus and tooltips take them from here. */
export const unitKeys = {
  startStop: 's',
  channel: 'l',
  delay: 'd',
  rename: 'F2',
  comment: 'c',
} as const

export interface Fleet {
  counters: UnitCounters
  byLabel: Readonly<Partial<Record<UnitLabel, number>>>
  critical: number
  total: number
}

const emptyFleet: Fleet = { counters: countUnits([]), byLabel: {}, critical: 0, total: 0 }

/** Counting reads every unit, so it is done at most twice a second. */
const countMs = 500

let fleet = emptyFleet
let countedVersion = unitStore.version()
let counted: readonly unknown[] = []
let counting: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** The fields from which the numbers are made. Most changes of a unit are figures and leave all of them the same. */
const countedFields = ['type', 'status', 'applications', 'alerts', 'transition', 'selChannel'] as const
type CountedUnit = Pick<LiveUnit, (typeof countedFields)[number]>

function numbersOf(units: readonly CountedUnit[]): Fleet {
  const byLabel: Partial<Record<UnitLabel, number>> = {}
  for (const unit of units) {
    const label = labelOf(unit)
    byLabel[label] = (byLabel[label] ?? 0) + 1
  }
  const critical = units.filter((unit) => unit.alerts.some((alert) => alert.severity === 'critical')).length
  return { counters: countUnits(units), byLabel, critical, total: units.length }
}

function count(): void {
  counting = undefined
  countedVersion = unitStore.version()
  const units = unitStore.ids().flatMap((uid) => unitStore.get(uid) ?? [])
  const toCount: unknown[] = []
  for (const unit of units) for (const field of countedFields) toCount.push(unit[field])
  if (sameItems(toCount, counted)) return
  counted = toCount
  const next = numbersOf(units)
  if (JSON.stringify(next) === JSON.stringify(fleet)) return
  fleet = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const stop = unitStore.subscribeList(() => {
    if (counting === undefined) counting = setTimeout(count, countMs)
  })
  count()
  return () => {
    listeners.delete(listener)
    stop()
  }
}

/** The first reader has the numbers of the units that are there, not those of before. */
function fleetNow(): Fleet {
  if (listeners.size === 0 && countedVersion !== unitStore.version()) count()
  return fleet
}

export function useFleet(): Fleet {
  return useSyncExternalStore(subscribe, fleetNow)
}

/** Until the units of the group have been read, nothing counts: no number is shown rather than a nought. */
export const useFleetIsKnown = (): boolean => useValue(unitsState).state === 'ready'

/** Begins to check ages, transitions and reconnects; once, after the sign-in. */
export function startUnits(): void {
  startUnitsLive()
}

/** The units of another group become the live ones. */
export function enterUnits(groupId: string): void {
  enterUnitsOf(groupId)
}

/** A unit of the group as it is now; undefined when there is none. */
export const knownUnit = (uid: string): KnownUnit | undefined => unitStore.latest(uid)

/** A unit of the group, live. */
export const useUnit = (uid: string | null): KnownUnit | undefined => useItem(unitStore, uid)

export type KnownUnit = LiveUnit

/** The unit whose sharing options are open, and how they are closed. */
export function useAskedSharing(): { unit: KnownUnit | undefined; close: () => void } {
  return { unit: useUnit(useValue(sharingAsked)), close: () => sharingAsked.set(null) }
}

/** All units of the group as they are now, by name. */
export const knownUnits = (): KnownUnit[] =>
  unitStore
    .ids()
    .flatMap((uid) => unitStore.latest(uid) ?? [])
    .sort(byName)

/** The unit's status, as a key of the texts of units. */
export const statusKeyOf = (unit: KnownUnit) => labelKeys[labelOf(unit)]

/** Action of the start button now; undefined when pressing it would do nothing. */
export function startActOf(unit: KnownUnit, mayOperate: boolean): 'start' | 'stop' | undefined {
  const state = startButton(labelBasis(unit))
  if (startRefusal(unit, mayOperate) !== undefined) return undefined
  return state === 'start' || state === 'stop' ? state : undefined
}

export const useStart = () => useUnitActions().start

/** The one selected unit of the whole console (EN-PREF-04). */
export function useSelectedUnit(): [string | null, (uid: string | null) => void] {
  const uid = usePreference((all) => all.lastSelectedUnit)
  return [uid, selectUnit]
}

export function selectUnit(uid: string | null): void {
  if (preferences.get().lastSelectedUnit !== uid) setPreferences({ lastSelectedUnit: uid })
}

/** A counter of the shell was pressed: the list shows only these, or all again. */
export function filterUnitsBy(facet: FilterFacet, values: readonly string[]): void {
  const filter = preferences.get().filters.device ?? { open: false, text: '', chosen: {} }
  setFilter('device', onlyThese(filter, facet, values))
}

export type UnitMatches = ((unit: KnownUnit) => boolean) | undefined

/** The filter of the list, applied to the units; undefined: everything. */
export function useUnitMatches(): UnitMatches {
  const filter = useFilter('device')
  return useMemo(() => unitFilter(ofUnitsAlone(filter)), [filter])
}

/** Whether a row of the list, a unit or a server, matches the filter. */
export function useListMatches(): ((row: ListRow) => boolean) | undefined {
  const filter = useFilter('device')
  return useMemo(() => unitFilter(filter), [filter])
}

/** All units of the group, live: for readers of all of them at once. */
export const liveUnits: KeyedStore<KnownUnit> = unitStore

/** Shape and colour of its status, and how urgent its alerts are. */
export const unitLook = (unit: KnownUnit) => ({
  ...lookOf(unit),
  severity: alertsOf(unit)[0]?.severity,
})
