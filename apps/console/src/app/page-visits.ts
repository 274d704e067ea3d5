// Page visits for an operator who wants to count them. Nothing is sent unless core names their address for it (GAP-NAV-03).
import type { LightGroup } from '@backhaul/contract/nouns/groups'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Unit } from '@backhaul/contract/nouns/units'
import { knownUnit } from '../fleet/units/units.ts'
import { groupsState } from '../people/groups/groups.ts'
import { preferences } from '../session/preferences/preferences.ts'
import { signedIn } from '../session/sign-ins/sign-ins.ts'
import { isUnsavedPath } from './routes.ts'

/** The named dimensions (CO-ANALY rows), the group and the route; what the console does not know is absent. */
export interface PageVisit {
  route: string
  groupId?: string
  userId?: string
  inventoryId?: string
  unitId?: string
  channelId?: string
  audioChannels?: number
  /** kbit/s that the encoder of the unit is set to. */
  bitrate?: number
  /** kbit/s that the links of the unit can carry. */
  bandwidthLimits?: number
  /** ms */
  delay?: number
  /** Carriers of the connected links, each once. */
  provider?: string
  forceSdi?: boolean
  resolutionSmart?: string
  ipPipeConnectionMode?: string
  cameraCountSelection?: number
  /** ms */
  timeUntilPreview?: number
  alertSeverity?: string
  alertType?: string
  /** How many the user has closed for themselves. */
  alertsClosed?: number
  audioRoomId?: string
}

export interface Known {
  userId: string | undefined
  group: Pick<LightGroup, 'uid' | 'inventoryId'> | null
  /** The selected unit. */
  unit: VisitedUnit | undefined
  alertsClosed?: number
}

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
  const visit = pageVisitOf(pathname, {
    userId: configuration?.userId,
    group: groupsState.get().current,
    unit: lastSelectedUnit === null ? undefined : knownUnit(lastSelectedUnit),
    alertsClosed: alertsClosed.length,
  })
  // As plain text, since browsers ask before they send JSON to another origin. The answer does not matter.
  fetch(url, {
    method: 'POST',
    mode: 'no-cors',
    credentials: 'omit',
    keepalive: true,
    body: JSON.stringify(visit),
  }).catch(() => {})
}

export function pageVisitOf(route: string, { userId, group, unit, alertsClosed }: Known): PageVisit {
  return {
    route,
    ...known({ userId, groupId: group?.uid, inventoryId: group?.inventoryId, alertsClosed }),
    ...(unit && ofUnit(unit)),
  }
}

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
    bandwidthLimits: unit.uplink?.capacityKbps,
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

/** Without what is null or undefined. */
const known = <T extends object>(fields: T): Filled<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Filled<T>
