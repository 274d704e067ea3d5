/** Displayed status, predicates, icon, label, start button and counters of a unit: pure rules used by core and console. */
import { z } from 'zod'

/** Status values on the wire (ST-USTAT rows). */
export const UnitStatus = z.enum([
  'offline',
  'idle',
  'storeandforward',
  'forwarding',
  'streaming',
  'online',
  'streamingandforwarding',
  'fetchlogs',
  'upgrading',
  'transparent_bridge',
  'setup_transparent_bridge',
  'speedtest',
  'unavailable',
])
export type UnitStatus = z.infer<typeof UnitStatus>

/** Keys of `applications` (EN-ACT rows). */
export const Activity = z.enum([
  'video',
  'multiCamera',
  'upgrade',
  'videoReturn',
  'databridge',
  'fetchlogs',
  'store',
  'forward',
  'l2ControlPipe',
  'changeAvicMode',
  'switcher',
  'switcherAndProxy',
  'audioCallBySelectedChannel',
  'audioRoom',
  'ifb',
  'xtenderRelay',
])
export type Activity = z.infer<typeof Activity>

/** State of one activity. `state` is the device's text; the rules know connecting, streaming, stopping and speedtest. */
export const ActivityState = z.object({
  state: z.string().max(32),
  since: z.number().optional().describe('Milliseconds since 1970'),
})
export type ActivityState = z.infer<typeof ActivityState>

/** Active activities; null means that the device reports none, which counts as offline (EN-UNIT-14). */
export const Applications = z.partialRecord(Activity, ActivityState).nullable()
export type Applications = z.infer<typeof Applications>

/** The input of the rules. `status` is the one that the device itself sets, if any. */
export type StatusBasis = {
  readonly applications: Applications | undefined
  readonly status?: UnitStatus | undefined
}

const multiCameraActivities: readonly Activity[] = ['multiCamera', 'switcher', 'switcherAndProxy']
const videoActivities: readonly Activity[] = ['video', ...multiCameraActivities]
const busyActivities: readonly Activity[] = [...videoActivities, 'upgrade', 'databridge', 'fetchlogs']
const quietActivities: readonly Activity[] = [
  'changeAvicMode',
  'l2ControlPipe',
  'ifb',
  'audioRoom',
  'videoReturn',
  'databridge',
  'xtenderRelay',
  'audioCallBySelectedChannel',
  'forward',
]

/** Called several times a second for every unit, as `hasAny` is: lists of arguments and functions would be garbage each time. */
const has = (unit: StatusBasis, activity: Activity): boolean => unit.applications?.[activity] !== undefined

function hasAny(unit: StatusBasis, activities: readonly Activity[]): boolean {
  for (const activity of activities) if (has(unit, activity)) return true
  return false
}

const inSpeedTest = (unit: StatusBasis): boolean => unit.applications?.video?.state === 'speedtest'

/** ST-PRED-06, tested before every other rule (GAP-UNIT-01). */
export const isOffline = (unit: StatusBasis): boolean =>
  unit.applications === null ||
  unit.applications === undefined ||
  unit.status === 'offline' ||
  unit.status === 'unavailable'

/** ST-PRED-01. Store alone counts as busy too (GAP-UNIT-02). */
export const isBusy = (unit: StatusBasis): boolean =>
  !isOffline(unit) && (hasAny(unit, busyActivities) || has(unit, 'store'))

/** ST-PRED-02: video outside a speed test, or any of the multi-camera activities. */
export const isStreaming = (unit: StatusBasis): boolean =>
  !isOffline(unit) && ((has(unit, 'video') && !inSpeedTest(unit)) || hasAny(unit, multiCameraActivities))

/** ST-PRED-03 to -05. */
export function isOnline(unit: StatusBasis): boolean {
  if (isOffline(unit) || unit.applications === null || unit.applications === undefined) return false
  if (has(unit, 'forward') && has(unit, 'store')) return false
  return Object.keys(unit.applications).length === 0 || hasAny(unit, quietActivities)
}

/** The ten ordered rules, first match wins (ST-DISP rows); offline is tested before them (GAP-UNIT-01). */
export function displayedStatus(unit: StatusBasis): UnitStatus {
  if (isOffline(unit)) return 'offline'
  if (has(unit, 'upgrade')) return 'upgrading'
  if (has(unit, 'fetchlogs')) return 'fetchlogs'
  if (has(unit, 'databridge')) return 'transparent_bridge'
  if (hasAny(unit, videoActivities)) {
    if (has(unit, 'forward')) return 'streamingandforwarding'
    return inSpeedTest(unit) ? 'speedtest' : 'streaming'
  }
  if (has(unit, 'forward')) return has(unit, 'store') ? 'storeandforward' : 'forwarding'
  if (has(unit, 'store')) return 'storeandforward'
  return 'idle'
}

const activeForAlerts: readonly UnitStatus[] = [
  'streaming',
  'storeandforward',
  'speedtest',
  'streamingandforwarding',
]

/** ST-PRED-07: streaming, store-and-forward, speed test or stream-and-forward. */
export const isActiveForAlerts = (unit: StatusBasis): boolean =>
  activeForAlerts.includes(displayedStatus(unit))

export type UnitIcon = 'offline' | 'upgrading' | 'fetchlogs' | 'busy' | 'online'

/** Icon precedence (ST-ICON rows). */
export function unitIcon(unit: StatusBasis): UnitIcon {
  if (isOffline(unit)) return 'offline'
  if (has(unit, 'upgrade')) return 'upgrading'
  if (has(unit, 'fetchlogs')) return 'fetchlogs'
  if (isBusy(unit)) return 'busy'
  return isOnline(unit) ? 'online' : 'busy'
}

/**
 * The transition of a unit between two settled states:
 * 1. undefined: settled;
 * 2. starting: a start was requested, until the device reports the activity;
 * 3. stopping: a stop was requested, until the device no longer reports it.
 * Both end also when the watchdog gives up (transitionWatchdog).
 */
export type Transition = 'starting' | 'stopping' | undefined

/**
 * The flag is checked up to 10 times, every 2 s (ST-LIVE-06), and then clears regardless of the report of the device.
 */
export const transitionWatchdog = { checks: 10, periodMs: 2000 } as const

/** True when a status completes the transition (ST-LIVE-05). */
export function transitionReached(transition: Transition, unit: StatusBasis): boolean {
  if (transition === 'starting') return isStreaming(unit) && activeVideoState(unit) !== 'connecting'
  if (transition === 'stopping') return !isStreaming(unit)
  return true
}

/** The state of the transmission, whichever of the video activities it is; undefined without one. */
export function activeVideoState(unit: StatusBasis): string | undefined {
  const active = videoActivities.find((activity) => unit.applications?.[activity] !== undefined)
  return active === undefined ? undefined : unit.applications?.[active]?.state
}

/** Transitions of a unit other than of its video (ST-UTRS rows). */
export type TransientState =
  | 'databridgeConnecting'
  | 'databridgeDisconnecting'
  | 'intercomConnecting'
  | 'intercomDisconnecting'
  | 'videoReturnConnecting'
  | 'videoReturnDisconnecting'
  | 'ipPipeConnecting'
  | 'ipPipeDisconnecting'
  | 'stoppingFetchLogs'
  | 'changingVideoMode'
  | 'upgrading'

type Way = readonly [Activity, connecting: TransientState, stopping: TransientState]

const ways: readonly Way[] = [
  ['databridge', 'databridgeConnecting', 'databridgeDisconnecting'],
  ['audioRoom', 'intercomConnecting', 'intercomDisconnecting'],
  ['audioCallBySelectedChannel', 'intercomConnecting', 'intercomDisconnecting'],
  ['ifb', 'intercomConnecting', 'intercomDisconnecting'],
  ['videoReturn', 'videoReturnConnecting', 'videoReturnDisconnecting'],
  ['l2ControlPipe', 'ipPipeConnecting', 'ipPipeDisconnecting'],
]

/** All transitions of the unit, in the order of the table, each once. */
export function transientStates(unit: StatusBasis): TransientState[] {
  const { applications } = unit
  if (isOffline(unit) || !applications) return []
  const found = new Set<TransientState>()
  for (const [activity, connecting, stopping] of ways) {
    const state = applications[activity]?.state
    if (state === 'connecting') found.add(connecting)
    // Databridge and video return stop, intercom and IP pipe disconnect (GAP-STATE-01, ST-IPPIPE-03).
    if (state === 'stopping' || state === 'disconnecting') found.add(stopping)
  }
  if (applications.fetchlogs?.state === 'stopping') found.add('stoppingFetchLogs')
  if (applications.changeAvicMode) found.add('changingVideoMode')
  if (applications.upgrade) found.add('upgrading')
  return [...found]
}

export type UnitLabel =
  | 'ready'
  | 'live'
  | 'S&F'
  | 'offline'
  | 'upgrading'
  | 'connecting'
  | 'stopping'
  | 'speed test'
  | 'preview'
  | 'playing'
  | 'fetching logs'
  | 'unknown'

export type LabelBasis = StatusBasis & {
  readonly transition?: Transition
  readonly channelIsPreview?: boolean
  readonly channelPlaysFile?: boolean
}

const labelOfStatus: Readonly<Partial<Record<UnitStatus, UnitLabel>>> = {
  idle: 'ready',
  online: 'ready',
  streaming: 'live',
  streamingandforwarding: 'live',
  storeandforward: 'S&F',
  forwarding: 'S&F',
  offline: 'offline',
  unavailable: 'offline',
  upgrading: 'upgrading',
  setup_transparent_bridge: 'connecting',
  transparent_bridge: 'live',
  speedtest: 'speed test',
  fetchlogs: 'fetching logs',
}

/** The label of a unit (ST-LABEL rows, GAP-UNIT-06). */
export function unitLabel(unit: LabelBasis): UnitLabel {
  if (isOffline(unit)) return 'offline'
  const active = activeVideoState(unit)
  if (unit.transition === 'stopping' || active === 'stopping') return 'stopping'
  if (unit.transition === 'starting' || active === 'connecting') return 'connecting'
  const databridge = unit.applications?.databridge?.state
  if (databridge === 'connecting' || databridge === 'stopping') return databridge
  const status = displayedStatus(unit)
  if (status === 'streaming' && unit.channelIsPreview) return 'preview'
  if (status === 'idle' && unit.channelPlaysFile) return 'playing'
  return labelOfStatus[status] ?? 'unknown'
}

export type StartButton = 'start' | 'connecting' | 'stop' | 'disconnecting' | 'offline'

/** The five states of the start button (ST-START rows). A unit that is busy with something else keeps `start`, refused by `mayStart`. */
export function startButton(unit: LabelBasis): StartButton {
  if (isOffline(unit)) return 'offline'
  const active = activeVideoState(unit)
  if (unit.transition === 'stopping' || active === 'stopping') return 'disconnecting'
  if (unit.transition === 'starting' || active === 'connecting') return 'connecting'
  return isStreaming(unit) ? 'stop' : 'start'
}

/** A unit can be started when it is not offline, not busy and in no transition (ST-START-01). */
export const mayStart = (unit: LabelBasis): boolean => startButton(unit) === 'start' && !isBusy(unit)

/** The three exclusive classes that the counters count (GAP-UNIT-03). */
export type CountedState = 'offline' | 'idle' | 'busy'

export function countedState(unit: StatusBasis): CountedState {
  if (isOffline(unit)) return 'offline'
  return isBusy(unit) || !isOnline(unit) ? 'busy' : 'idle'
}

export type StatusTransition =
  | 'offlineToOnline'
  | 'onlineToStreaming'
  | 'offlineToStreaming'
  | 'streamingToOnline'
  | 'onlineToOffline'
  | 'streamingToOffline'
  | 'onlineToStoreAndForward'
  | 'offlineToStoreAndForward'
  | 'storeAndForwardToOnline'
  | 'storeAndForwardToOffline'
  | 'unknown'

type Station = 'offline' | 'online' | 'streaming' | 'storeAndForward' | undefined

function stationOf(unit: StatusBasis): Station {
  if (isOffline(unit)) return 'offline'
  if (isStreaming(unit)) return 'streaming'
  if (displayedStatus(unit) === 'storeandforward') return 'storeAndForward'
  return isBusy(unit) ? undefined : 'online'
}

/** The named move between two statuses, `unknown` for one without a name, undefined when nothing moved (ST-UTRAN rows). */
export function statusTransition(before: StatusBasis, after: StatusBasis): StatusTransition | undefined {
  const [from, to] = [stationOf(before), stationOf(after)]
  if (from === to && countedState(before) === countedState(after)) return undefined
  if (from === undefined || to === undefined || from === to) return 'unknown'
  const name = `${from}To${to[0]!.toUpperCase()}${to.slice(1)}`
  return (Object.keys(counterChanges) as StatusTransition[]).find((known) => known === name) ?? 'unknown'
}

export type StateCounters = { offline: number; idle: number; busy: number }

/** The change of the counters by each named transition; `unknown` requires a recount (GAP-UNIT-03). */
export const counterChanges: Readonly<Record<Exclude<StatusTransition, 'unknown'>, StateCounters>> = {
  offlineToOnline: { offline: -1, idle: 1, busy: 0 },
  onlineToStreaming: { offline: 0, idle: -1, busy: 1 },
  offlineToStreaming: { offline: -1, idle: 0, busy: 1 },
  streamingToOnline: { offline: 0, idle: 1, busy: -1 },
  onlineToOffline: { offline: 1, idle: -1, busy: 0 },
  streamingToOffline: { offline: 1, idle: 0, busy: -1 },
  onlineToStoreAndForward: { offline: 0, idle: -1, busy: 1 },
  offlineToStoreAndForward: { offline: -1, idle: 0, busy: 1 },
  storeAndForwardToOnline: { offline: 0, idle: 1, busy: -1 },
  storeAndForwardToOffline: { offline: 1, idle: 0, busy: -1 },
}

/** The counters after a move, or undefined when a recount is needed. */
export function countersAfter(
  counters: StateCounters,
  transition: StatusTransition,
): StateCounters | undefined {
  if (transition === 'unknown') return undefined
  const change = counterChanges[transition]
  return {
    offline: counters.offline + change.offline,
    idle: counters.idle + change.idle,
    busy: counters.busy + change.busy,
  }
}
