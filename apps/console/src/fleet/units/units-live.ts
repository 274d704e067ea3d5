// The live units of the group: loaded by REST, kept by push, honest about what is no longer current.

import { units } from '@backhaul/contract/api/units'
import { Refusal } from '@backhaul/contract/define/errors'
import { flows, visibleMove } from '@backhaul/contract/nouns/unit-moves'
import { isStale, type Unit } from '@backhaul/contract/nouns/units'
import type { Membership, UnitSync } from '@backhaul/contract/push/groups'
import { call, describeFault, faultWords } from '../../doors/api.ts'
import { type PushMessage, push } from '../../doors/push.ts'
import { reasonText } from '../../texts/generic.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { sameItems } from '../../ui/same-items.ts'
import { createValue } from '../../ui/value.ts'
import { activeAlerts, shownAlerts } from '../alerts/alerts.ts'
import { createPassedOver } from './passed-over.ts'
import { type AskedTransition, isOver, transitionNow } from './transition-overlay.ts'
import { announce, isAsAnnounced, messagesOf } from './unit-messages.ts'

/** A unit as the console holds it. */
export interface LiveUnit extends Unit {
  /** Nothing was received for two of its intervals, or the link to core is lost. */
  readonly stale: boolean
}

export interface UnitsState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
}

/** Devices that join or leave reload the list this long after the last of them (PU-TIME-07). */
const reloadDebounceMs = 3000
/** A list may be this old when the topic of its group begins: it was perhaps requested before the page could run. */
const listAgeMs = 15_000
/** A sync message is answered after a random wait up to this long (PU-TIME-08). */
const syncSpreadMs = 1900
/** More units than these are read in one list. */
const readAloneAtMost = 10
/** A unit that changed during each of these reads is as push has made it. */
const readTries = 3

export const unitStore = createKeyedStore<LiveUnit>()
export const unitsState = createValue<UnitsState>({ state: 'loading' })

/** Statuses without the selection, after one of a point-to-multipoint channel (ST-CHSEL-07). */
export const passedOver = createPassedOver((uid) => void rereadUnits([uid]))

let groupNow: string | null = null
let stopGroup: () => void = () => {}
const stops = new Map<string, () => void>()
const asked = new Map<string, AskedTransition>()
/** Units whose transmission was announced as started. */
const started = new Set<string>()
let reloadTimer: ReturnType<typeof setTimeout> | undefined
/** The newest device that joined and that left when the topic of the group began, until a list is there to compare with. */
let groupBegan: unknown

/** Core's time now, in ms. */
export const coreNowMs = (): number => Date.now() + push.clockOffsetMs()

const linkIsLost = (): boolean => push.link().kind === 'lost' || push.link().kind === 'gaveUp'

/** The unit with the change, as it is shown. Every unit comes here once a second, so it is copied only once. */
function withDerivedFields(before: Unit, change: Partial<Unit> = {}): LiveUnit {
  const unit = { ...before, ...change }
  const stale = linkIsLost() || isStale(unit, coreNowMs())
  const mine = asked.get(unit.uid)
  if (mine && isOver(mine, unit, Date.now())) asked.delete(unit.uid)
  const shown = shownAlerts(unit.uid, unit.alerts)
  // The same array for the same alerts: readers compare it to learn whether anything but figures changed.
  const alerts = sameItems(shown, unit.alerts) ? unit.alerts : shown
  return Object.assign(unit, { stale, alerts, transition: transitionNow(asked.get(unit.uid), unit) })
}

/** Enters a group: the data of the last one go at once. */
export function enterUnitsOf(groupId: string): void {
  if (groupNow === groupId) return
  leave()
  groupNow = groupId
  unitsState.set({ state: 'loading' })
  stopGroup = push.subscribe(`group.${groupId}`, (message) => groupNews(message))
  void reloadUnits()
}

function leave(): void {
  stopGroup()
  for (const stop of stops.values()) stop()
  stops.clear()
  asked.clear()
  clearTimeout(reloadTimer)
  groupBegan = undefined
  unitStore.replaceAll([])
  unitStore.flush()
}

export async function reloadUnits(): Promise<void> {
  const group = groupNow
  if (group === null) return
  clearTimeout(reloadTimer)
  try {
    const list = await call(units.ofGroup, { query: { group } })
    if (groupNow === group) accept(list)
  } catch (error) {
    if (groupNow !== group) return
    // A list that is shown already is kept, with its age; only a first load has nothing to show.
    if (unitStore.size() === 0) unitsState.set({ state: 'error', errorText: listWords(error) })
  }
}

/** Fetching units has words of its own for a code 500 in the body, regardless of the HTTP status (ST-LOAD-01). */
function listWords(error: unknown): string {
  if (error instanceof Refusal && error.code === 500) return reasonText('system.internalError')
  return faultWords(describeFault(error))
}

function accept(list: readonly Unit[]): void {
  tellNewcomers(list)
  const present = new Set(list.map((unit) => unit.uid))
  for (const [uid, stop] of stops) {
    if (present.has(uid)) continue
    stop()
    stops.delete(uid)
  }
  // A unit that is live already is newer than the list that was read a moment ago.
  unitStore.replaceAll(
    list.map((unit) => [unit.uid, unitStore.latest(unit.uid) ?? withDerivedFields(unit)] as const),
  )
  unitStore.flush()
  unitsState.set({ state: 'ready' })
  compareWithList()
  for (const unit of list) {
    if (!stops.has(unit.uid)) stops.set(unit.uid, push.subscribe(`unit.${unit.uid}`, unitNews, unit.rev))
  }
}

/** Only against a list that was shown before: the first one holds no newcomers. */
function tellNewcomers(list: readonly Unit[]): void {
  if (unitsState.get().state !== 'ready' || unitStore.size() === 0) return
  for (const unit of list) if (!unitStore.latest(unit.uid)) announce('newDeviceAdded', unit.name)
}

function unitNews(message: PushMessage): void {
  const before = unitStore.latest(message.uid)
  // News of an unknown unit is ignored (ER-HTTP-05).
  if (!before) return
  const change = passedOver.of(message.uid, message.kind, message.data as Partial<Unit>)
  if (change.transition !== undefined && change.transition !== null) asked.delete(message.uid)
  const after = withDerivedFields(
    change.transition === undefined && asked.has(message.uid) ? { ...before, transition: null } : before,
    change,
  )
  unitStore.put(message.uid, after)
  noticeMove(before, after)
}

function noticeMove(before: LiveUnit, after: LiveUnit): void {
  const { uid, name } = after
  // Most changes are figures alone.
  if (!started.has(uid) && isAsAnnounced(before, after)) return
  const hasStarted = started.has(uid) || flows(before)
  for (const message of messagesOf(before, after, hasStarted)) announce(message, name)
  if (visibleMove(before, after, hasStarted).hasStarted) started.add(uid)
  else started.delete(uid)
}

/** True where the newest device that joined or left did so after the list was read. Both may be older than this page. */
function isAheadOfList(snapshot: unknown): boolean {
  const { added, removed } = snapshot as Partial<Record<'added' | 'removed', Membership | null>>
  const isNew = (news: Membership | null | undefined, isListed: boolean) =>
    news != null &&
    coreNowMs() - news.at < listAgeMs &&
    (unitStore.latest(news.device) !== undefined) === isListed
  return isNew(added, false) || isNew(removed, true)
}

function compareWithList(): void {
  if (groupBegan === undefined || unitsState.get().state !== 'ready') return
  if (isAheadOfList(groupBegan)) reloadSoon()
  groupBegan = undefined
}

function groupNews({ kind, data, from }: PushMessage): void {
  if (from === 0) {
    groupBegan = data
    compareWithList()
    return
  }
  if (kind === 'deviceAdded' || kind === 'deviceRemoved') reloadSoon()
  if (kind !== 'sync') return
  const { sync } = data as { sync?: UnitSync | null }
  if (sync) setTimeout(() => void rereadSynced(sync.units), Math.random() * syncSpreadMs)
}

function reloadSoon(): void {
  clearTimeout(reloadTimer)
  reloadTimer = setTimeout(() => void reloadUnits(), reloadDebounceMs)
}

/** Status and configuration of the named units, and any other record that was read (GAP-PUSH-04). */
async function rereadSynced(uids: readonly string[]): Promise<void> {
  const known = uids.filter((uid) => unitStore.latest(uid) !== undefined)
  const state = known.length > readAloneAtMost ? reloadUnits() : rereadUnits(known)
  // Loaded with the first screen that shows records: the rows show none.
  const records = import('./unit-records.ts').then(({ rereadRecords }) => rereadRecords(new Set(known)))
  await Promise.all([state, records])
}

/** Reads the live fields of the named units again. */
async function rereadUnits(uids: readonly string[]): Promise<void> {
  for (const uid of uids) {
    const unit = await readUnit(uid)
    if (unit && unitStore.latest(uid)) unitStore.put(uid, withDerivedFields(unit))
  }
}

/** A change may be pushed while the unit is read, and what was read before it must not replace it: it is read again. */
async function readUnit(uid: string): Promise<Unit | undefined> {
  for (let tries = 0; tries < readTries && unitStore.latest(uid); tries++) {
    const unit = await call(units.one, { params: { id: uid } }).catch(() => undefined)
    if (!unit || !push.isOlderThanHeld(`unit.${uid}`, unit.rev)) return unit
  }
  return undefined
}

/** A button was pressed: the unit shows it at once, until core reports more. */
export function showAsked(uid: string, transition: AskedTransition['transition']): void {
  asked.set(uid, { transition, sinceMs: Date.now() })
  refresh(uid)
}

/** The press came to nothing. */
export function forgetAsked(uid: string): void {
  if (asked.delete(uid)) patchUnit(uid, { transition: null })
}

/** A change that this console knows before core sends it. */
export function patchUnit(uid: string, change: Partial<Unit>): void {
  const before = unitStore.latest(uid)
  if (before) unitStore.put(uid, withDerivedFields({ ...before, ...change }))
}

function refresh(uid: string): void {
  patchUnit(uid, asked.has(uid) ? { transition: null } : {})
}

/** Once a second: units that have fallen silent, and pressed buttons that had no effect. */
function lookAtAges(): void {
  const lost = linkIsLost()
  const nowMs = coreNowMs()
  for (const uid of unitStore.ids()) {
    const unit = unitStore.latest(uid)
    if (!unit) continue
    if (asked.has(uid)) unitStore.put(uid, withDerivedFields({ ...unit, transition: null }))
    else if ((lost || isStale(unit, nowMs)) !== unit.stale) unitStore.put(uid, withDerivedFields(unit))
  }
}

/** The users of the group are shown other alerts of some units. */
function followAlerts(): void {
  for (const uid of unitStore.ids()) {
    const unit = unitStore.latest(uid)
    if (!unit) continue
    const alerts = shownAlerts(uid, unit.alerts)
    if (JSON.stringify(alerts) !== JSON.stringify(unit.alerts)) unitStore.put(uid, withDerivedFields(unit))
  }
}

export function startUnitsLive(): () => void {
  const timer = setInterval(lookAtAges, 1000)
  const stopAlerts = activeAlerts.subscribe(followAlerts)
  const stopLink = push.onLink(lookAtAges)
  const stopResumed = push.onResumed(() => void reloadUnits())
  return () => {
    clearInterval(timer)
    stopAlerts()
    stopLink()
    stopResumed()
  }
}

/** The words of a list that cannot be loaded: of the failed call, or of the connection that was given up. */
export function listFault(state: UnitsState): string | undefined {
  if (push.link().kind === 'gaveUp') return reasonText('system.websocketError')
  return state.errorText
}
