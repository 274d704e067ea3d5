// Page visits for an operator who wants to count them. Nothing is sent unless core names their address for it (GAP-NAV-03).
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Unit } from '@backhaul/contract/nouns/units'
import { channelStore } from '../fleet/channels/channels.ts'
import { newestPreviewStartMs } from '../fleet/previews/previews.ts'
import { knownUnit } from '../fleet/units/units.ts'
import { groupsState } from '../people/groups/groups.ts'
import { preferences } from '../session/preferences/preferences.ts'
import { signedIn } from '../session/sign-ins/sign-ins.ts'
import { isUnsavedPath } from './special-pages.ts'

/** The named dimensions (CO-ANALY rows), the group and the route; unknown values are absent. */
export interface PageVisit {
  route: string
  groupId?: string
  userId?: string
  inventoryId?: string
  unitId?: string
  channelId?: string
  /** Number of audio channels that arrive at the channel of the unit. */
  audioChannels?: number
  /** kbit/s that the encoder of the unit is set to. */
  bitrate?: number
  /** kbit/s that the channel of the unit admits. */
  bandwidthLimits?: number
  /** ms */
  delay?: number
  /** Carriers of the connected links, each once. */
  provider?: string
  /** The channel of the unit keeps its output while it receives nothing. */
  forceSdi?: boolean
  resolutionSmart?: string
  ipPipeConnectionMode?: string
  cameraCountSelection?: number
  /** ms, of the live picture that was opened last */
  timeUntilPreview?: number
  alertSeverity?: string
  alertType?: string
  /** Number of alerts that the user has closed for themselves. */
  alertsClosed?: number
  audioRoomId?: string
}

export interface Known {
  userId: string | undefined
  group: Pick<LightGroup, 'uid' | 'inventoryId'> | null
  /** The selected unit. */
  unit: VisitedUnit | undefined
  /** The channel of the unit. */
  channel?: VisitedChannel | undefined
  previewStartMs?: number | undefined
  alertsClosed?: number
}

type VisitedChannel = Pick<Channel, 'levels' | 'bandwidthLimit' | 'forceOutput'>

type VisitedUnit = Pick<
  Unit,
  | 'uid'
  | 'type'
  | 'channelId'
  | 'delay'
  | 'uplink'
  | 'modems'
  | 'applications'
  | 'multipleCamera'
  | 'camera'
  | 'alerts'
  | 'intercoms'
>

/** The operator's address gets each visit as JSON by `POST`, without a sign-in. */
export function reportPageVisit(pathname: string): void {
  const configuration = signedIn.get()?.configuration
  const url = configuration?.analyticsConfiguration?.url
  if (url === undefined || isUnsavedPath(pathname)) return
  const { lastSelectedUnit, alertsClosed } = preferences.get()
  const unit = lastSelectedUnit === null ? undefined : knownUnit(lastSelectedUnit)
  const visit = pageVisitOf(pathname, {
    userId: configuration?.userId,
    group: groupsState.get().current,
    unit,
    channel: unit?.channelId ? channelStore.latest(unit.channelId) : undefined,
    previewStartMs: newestPreviewStartMs(),
    alertsClosed: alertsClosed.length,
  })
  // As plain text, since browsers send a preflight before JSON to another origin. The answer does not matter.
  fetch(url, {
    method: 'POST',
    mode: 'no-cors',
    credentials: 'omit',
    keepalive: true,
    body: JSON.stringify(visit),
  }).catch(() => {})
}

export function pageVisitOf(route: string, visit: Known): PageVisit {
  const { userId, group, unit, channel, alertsClosed, previewStartMs: timeUntilPreview } = visit
  return {
    route,
    ...known({
      userId,
      groupId: group?.uid,
      inventoryId: group?.inventoryId,
      alertsClosed,
      timeUntilPreview,
    }),
    ...(unit && ofUnit(unit)),
    ...(channel && ofChannel(channel)),
  }
}

const ofChannel = ({ levels, bandwidthLimit, forceOutput }: VisitedChannel): Partial<PageVisit> => ({
  ...(levels.length > 0 && { audioChannels: levels.length }),
  ...(bandwidthLimit > 0 && { bandwidthLimits: bandwidthLimit }),
  forceSdi: forceOutput,
})

function ofUnit(unit: VisitedUnit): Partial<PageVisit> {
  const [alert] = unit.alerts
  const room = unit.intercoms.find(
    ({ mode, destinationAccount }) => mode === 'audioRoom' && destinationAccount !== '',
  )
  const carriers = unit.modems.filter(({ connected }) => connected).map(({ carrier }) => carrier)
  const { camera } = unit
  return known({
    unitId: unit.uid,
    channelId: unit.channelId,
    bitrate: unit.uplink?.encoderKbps,
    delay: unit.delay,
    provider: [...new Set(carriers)].filter(Boolean).join(', ') || undefined,
    resolutionSmart:
      camera && productOf(unit.type).group === 'smartUnits' ? `${camera.width}x${camera.height}` : undefined,
    ipPipeConnectionMode: unit.applications?.l2ControlPipe?.state,
    cameraCountSelection: unit.multipleCamera?.numberOfFeeds,
    alertSeverity: alert?.severity,
    alertType: alert?.type,
    audioRoomId: room?.destinationAccount,
  })
}

type Filled<T> = { [Name in keyof T]?: NonNullable<T[Name]> }

/** Leaves out fields that are null or undefined. */
const known = <T extends object>(fields: T): Filled<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Filled<T>
