// The fields of a unit, derived from core's records and the unit's reports. Pure: no time, no database.
import type {
  Link,
  LinkTelemetry,
  UnitActual,
  UnitSample,
  UnitWanted,
} from '@backhaul/contract/gateway/units'
import { noFeeds, noSwitcher } from '@backhaul/contract/nouns/cameras'
import {
  type Channel,
  type ChannelDescriptor,
  describeChannel,
  EXTERNAL_CHANNEL,
  isMultipointName,
} from '@backhaul/contract/nouns/channels'
import { withDeviceServices } from '@backhaul/contract/nouns/device-services'
import { unlimitedServices } from '@backhaul/contract/nouns/gates'
import { intercomTransition } from '@backhaul/contract/nouns/intercom'
import { ipPipeOf } from '@backhaul/contract/nouns/ip-pipe'
import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import { type SettingName, type UnitSettings, unconfirmedOf } from '@backhaul/contract/nouns/unit-settings'
import {
  type Activity,
  type ActivityState,
  displayedStatus,
  isBusy,
  isOffline,
  isOnline,
  type StatusBasis,
  type Transition,
} from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Device } from '../devices/devices.ts'

export type LiveUnit = Omit<Unit, 'rev' | 'rawModemInfo'>
/** A live unit without the fields that change with each sample. */
export type KeptUnit = Omit<LiveUnit, keyof ReturnType<typeof measuredFields> | 'reportedAt'>

/** The state of a unit by its reports; stored, so that it survives a restart. */
export interface UnitMemory {
  online: boolean
  actual: Partial<UnitActual>
  sample: UnitSample | null
  /** The time when each link was last up, by port. */
  linkSeenMs: Record<number, number>
}

/** A disconnected unit has no applications; a status that a unit reports itself is used (GAP-UNIT-17). */
export function basisOf(memory: UnitMemory, isThere: boolean): StatusBasis {
  if (!isThere) return { applications: null, status: 'offline' }
  return { applications: memory.actual.applications ?? null, status: memory.actual.status }
}

/** Status, predicates and activities (ST-DISP, ST-PRED rows). */
export function statusFields(
  memory: UnitMemory,
  isThere: boolean,
  transition: Transition,
  before: LiveUnit,
): Partial<LiveUnit> {
  const basis = basisOf(memory, isThere)
  const { applications } = basis
  const activity = (name: Activity): ActivityState | null => applications?.[name] ?? null
  return {
    status: claimedStatus(basis),
    state: isThere ? (memory.actual.state ?? '') : 'offline',
    applications: applications ?? null,
    video: activity('video'),
    databridge: settled(activity('databridge'), before.databridge),
    databridgeInTransition: activity('databridge')?.state === 'connecting',
    videoReturn: settled(activity('videoReturn'), before.videoReturn),
    videoReturnInTransition: isOnTheWay(activity('videoReturn')),
    fileTransfer: activity('forward'),
    busy: isBusy(basis),
    idle: isOnline(basis) && !isBusy(basis),
    offline: isOffline(basis),
    transition: transition ?? null,
    inTransition: transition !== undefined,
  }
}

const claimed = new Set(['unavailable', 'setup_transparent_bridge'])

/** The ten rules, save for the two statuses that only the unit itself can know (ST-USTAT-11, -13). */
function claimedStatus(basis: StatusBasis): Unit['status'] {
  return basis.status !== undefined && claimed.has(basis.status) ? basis.status : displayedStatus(basis)
}

const isOnTheWay = (activity: ActivityState | null): boolean =>
  activity?.state === 'connecting' || activity?.state === 'stopping'

/** Connecting and stopping are not shown: the value before is kept (ST-LIVE-09). */
const settled = <T extends ActivityState>(now: T | null, before: T | null): T | null =>
  isOnTheWay(now) ? before : now

/** The wanted settings that the unit supports, and which of them it has not confirmed yet. */
export function settingsOf(
  { wanted }: Device,
  { actual }: UnitMemory,
): { settings: UnitSettings; unconfirmed: SettingName[] } {
  const known = actual.settings ?? {}
  const wantedHere = (wanted as Pick<UnitWanted, 'settings'>).settings ?? {}
  const mine: UnitSettings = Object.fromEntries(Object.entries(wantedHere).filter(([name]) => name in known))
  const unconfirmed = unconfirmedOf(mine, known)
  // Confirmed settings are shown as reported, for instance with the addresses that DHCP gave.
  const open = Object.fromEntries(unconfirmed.map((name) => [name, mine[name]]))
  return { settings: { ...known, ...open }, unconfirmed }
}

/** The channel whose picture the unit shows, and the unit's reception of it. */
export function returnFields(
  { wanted }: Pick<Device, 'wanted'>,
  { actual }: UnitMemory,
  { videoReturn }: Partial<Pick<LiveUnit, 'videoReturn'>>,
): Partial<Pick<LiveUnit, 'videoReturn'>> {
  const channel = (wanted as Partial<UnitWanted>).videoReturn?.channelId
  if (!videoReturn || channel === undefined) return {}
  const { receivedReturn: received, returnFailure: reason, returnFailureCause } = actual
  return {
    videoReturn: {
      ...videoReturn,
      channel,
      ...(received !== undefined && { received }),
      ...(reason !== undefined && { reason, cause: returnFailureCause ?? undefined }),
    },
  }
}

/** Each line of the intercom as it is set, and the state of its session (ST-ICOM rows). */
export function intercomFields(
  { wanted }: Pick<Device, 'wanted'>,
  { actual }: UnitMemory,
  isThere: boolean,
): Pick<LiveUnit, 'intercoms'> {
  const wantedHere = (wanted as Partial<UnitWanted>).intercoms ?? []
  const lines = actual.settings?.intercoms ?? []
  return {
    intercoms: lines.map((line, at) => {
      const isThis = ({ intercom }: { intercom: number }) => intercom === at + 1
      const session = isThere ? actual.intercoms?.find(isThis) : undefined
      const transition = isThere ? intercomTransition(wantedHere.find(isThis)?.id, session) : null
      return {
        ...line,
        state: session?.state ?? null,
        transition,
        failure: session?.failure ?? null,
        failureCause: session?.failureCause ?? null,
      }
    }),
  }
}

/** The video licence holds as long as a service of vendor staff gives it. */
function licenceOf({ license, givenServices }: Device['details']): Unit['license'] {
  if (!license) return null
  return { ...license, valid: license.valid || givenServices?.includes('video') === true }
}

/** The unit's settings and hardware. */
export function configurationFields(device: Device, { actual }: UnitMemory): Partial<LiveUnit> {
  const wanted = device.wanted as { delayMs: number; channelId: string | null }
  const { settings = {} } = actual
  const [major = '0', minor = '0'] = device.swVersion.split('.')
  return {
    uname: device.name,
    name: device.name,
    comment: device.comment,
    type: device.productType,
    serialNumber: device.serialNumber,
    swVersion: device.swVersion,
    shortSwVersion: `${major}.${minor}`,
    displayVersion: device.swVersion,
    reportIntervalMs: device.reportIntervalMs,
    services: withDeviceServices(device.details.services ?? unlimitedServices, device.details.givenServices),
    license: licenceOf(device.details),
    capabilities: actual.capabilities ?? {},
    workingMode: actual.workingMode ?? 'video',
    storages: actual.storages ?? [],
    machine: actual.machine ?? null,
    camera: actual.camera ?? null,
    delay: actual.delayMs ?? wanted.delayMs,
    channelId: actual.channelId === undefined ? wanted.channelId : actual.channelId,
    metadata: settings.metadata ?? {},
    transmissionMode: settings.linkMode ?? 'cellularBonding',
    ntp: settings.ntp ?? false,
    filenamePrefix: settings.filenamePrefix ?? '',
    videoPerformance: settings.shootingMode ?? '',
    storeAndForwardVideoQuality: settings.storeAndForwardQuality?.['H.265/HEVC'] ?? 'standard',
    hasExtender: actual.applications?.xtenderRelay !== undefined,
    selectedVideoReturn: device.details.videoReturn ?? null,
    destinationChannelUid: device.details.destination ?? null,
    wifi: actual.wifi ?? [],
    cellularNetworks: actual.cellularNetworks ?? [],
    ...cameraFields(device, actual),
  }
}

/** The cameras of the unit and their channels in its present mode (GAP-CONF-10). */
function cameraFields(
  { details }: Device,
  { settings = {}, cameras = [] }: UnitMemory['actual'],
): CameraFields {
  const { cameraMode = 'single' } = settings
  const { multipleCamera = noFeeds, switcher = noSwitcher } = details.cameras ?? {}
  const isSwitcher = cameraMode === 'switcher' || cameraMode === 'switcherAndProxy'
  return {
    cameras,
    multiCameraLabels: settings.multiCameraLabels ?? [],
    cameraPriorities: settings.cameraPriorities ?? [],
    cameraInput: settings.cameraInput ?? 1,
    multiCameraSelectedMode: cameraMode === 'single' ? null : cameraMode,
    multipleCamera: cameraMode === 'highQuality' ? multipleCamera : null,
    switcherMode: cameraMode === 'switcher' ? { ...switcher, proxyChannel: null } : null,
    switcherAndProxy: cameraMode === 'switcherAndProxy' ? switcher : null,
    highQualityChannelId: isSwitcher ? switcher.highQualityChannel : null,
    proxyChannelId: cameraMode === 'switcherAndProxy' ? switcher.proxyChannel : null,
  }
}

type CameraFields = Pick<
  LiveUnit,
  | 'cameras'
  | 'multiCameraLabels'
  | 'cameraPriorities'
  | 'cameraInput'
  | 'multiCameraSelectedMode'
  | 'multipleCamera'
  | 'switcherMode'
  | 'switcherAndProxy'
  | 'highQualityChannelId'
  | 'proxyChannelId'
>

/** The selected channel and its name; External when it is unknown or the licence is invalid (ST-CHSEL-05, -06). */
export function channelFields(
  channelId: string | null,
  channel: Channel | undefined,
  isLicensed: boolean,
  machines: readonly string[],
): Pick<
  LiveUnit,
  'selChannel' | 'selectedChannels' | 'selectedChannelName' | 'previewChannelId' | 'ptmpChannel' | 'sharing'
> {
  const usable = isLicensed ? channel : undefined
  const descriptor: ChannelDescriptor | null = usable ? describeChannel(usable) : null
  const multipoint = usable && isMultipointName(usable.name) ? usable.uniqueId : (machines[0] ?? null)
  return {
    selChannel: descriptor,
    selectedChannels: [...new Set([...(channelId === null ? [] : [channelId]), ...machines])],
    selectedChannelName: channelId === null ? '' : (usable?.name ?? EXTERNAL_CHANNEL),
    previewChannelId: usable?.kind === 'PREVIEW_CHANNEL' ? usable.uniqueId : null,
    ptmpChannel: multipoint,
    sharing: usable?.sharing ?? false,
  }
}

/** Links, uplink, battery and position from the newest sample; offline links are kept apart (EN-MODST rows). */
export function measuredFields(
  { actual, sample, linkSeenMs }: UnitMemory,
  isThere: boolean,
): Pick<LiveUnit, 'modems' | 'offlineModems' | 'uplink' | 'battery' | 'location'> {
  const modems: ModemStatus[] = []
  const offlineModems: ModemStatus[] = []
  for (const [at, link] of (actual.links ?? []).entries()) {
    const modem = modemOf(link, figuresOf(sample, at, link.port), isThere)
    const seenMs = linkSeenMs[link.port]
    if (modem.connected) modems.push(modem)
    else offlineModems.push(seenMs === undefined ? modem : { ...modem, lastUpdate: isoTime(seenMs) })
  }
  return {
    modems,
    offlineModems,
    uplink: isThere && sample ? uplinkOf(sample) : null,
    battery: sample?.battery ?? null,
    location: sample?.location ?? null,
  }
}

/** The figures of a port; a unit has its links and their figures in the same order. */
function figuresOf(sample: UnitSample | null, at: number, port: number): LinkTelemetry | undefined {
  const inPlace = sample?.links[at]
  return inPlace?.port === port ? inPlace : sample?.links.find((figures) => figures.port === port)
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

/** Connected links with the time of their figures (EN-MODST-10); those that are down carry when they were last up. */
export const updatedAt = (modems: readonly ModemStatus[], sample: UnitSample | null): ModemStatus[] =>
  modems.map((modem) => (sample ? { ...modem, lastUpdate: isoTime(sample.ts) } : modem))

function modemOf(link: Link, figures: LinkTelemetry | undefined, isThere: boolean): ModemStatus {
  const connected = isThere && (figures?.up ?? false)
  const modem: ModemStatus = {
    port: link.port,
    id: link.id,
    kind: link.kind,
    uplinkKbps: connected ? (figures?.kbps ?? 0) : 0,
    downlinkKbps: connected ? (figures?.downKbps ?? 0) : 0,
    connected,
    enabled: link.enabled,
    signalQualities: figures?.signal ?? {},
    roaming: link.roaming ?? false,
    rttMs: connected ? (figures?.rttMs ?? null) : null,
    lossPercent: connected ? (figures?.lossPercent ?? 0) : 0,
    retransmittedPercent: connected ? (figures?.rtxPercent ?? 0) : 0,
  }
  if (link.activeSim !== undefined) modem.activeSim = link.activeSim
  if (link.carrier !== undefined) modem.carrier = link.carrier
  if (link.technology !== undefined) modem.technology = link.technology
  if (link.address !== undefined) modem.address = link.address
  if (link.data !== undefined) modem.data = link.data
  return modem
}

/** The uplink of all its links together. */
export function uplinkOf({ links, encoderKbps, capacityKbps }: UnitSample): NonNullable<Unit['uplink']> {
  let kbps = 0
  let lostKbps = 0
  let rttMs: number | null = null
  for (const link of links) {
    if (!link.up) continue
    kbps += link.kbps
    lostKbps += (link.kbps * link.lossPercent) / 100
    if (link.kbps > 0 && link.rttMs !== null) rttMs = Math.max(rttMs ?? 0, link.rttMs)
  }
  const lossPercent = kbps === 0 ? 0 : Math.round((lostKbps / kbps) * 1000) / 10
  return { kbps: Math.round(kbps), encoderKbps, capacityKbps, rttMs, lossPercent, droppedPackets: 0 }
}

export function emptyUnit(device: Device): LiveUnit {
  return {
    unitUniqueId: device.id,
    deviceId: device.id,
    uid: device.id,
    uname: device.name,
    name: device.name,
    comment: device.comment,
    type: device.productType,
    serialNumber: device.serialNumber,
    shortSwVersion: device.swVersion,
    swVersion: device.swVersion,
    displayVersion: device.swVersion,
    inventoryId: device.inventoryId,
    status: 'offline',
    state: 'offline',
    applications: null,
    video: null,
    databridge: null,
    videoReturn: null,
    selectedVideoReturn: null,
    ipPipe: ipPipeOf(undefined, {}, false),
    fileTransfer: null,
    busy: false,
    idle: false,
    offline: true,
    inTransition: false,
    transition: null,
    videoReturnInTransition: false,
    databridgeInTransition: false,
    speedTestInTransition: false,
    license: null,
    usage: null,
    usageInfo: null,
    usageProfileId: null,
    services: [],
    capabilities: {},
    location: null,
    battery: null,
    channelId: null,
    previewChannelId: null,
    highQualityChannelId: null,
    proxyChannelId: null,
    selChannel: null,
    selectedChannels: [],
    selectedChannelName: '',
    ptmpChannel: null,
    destinationChannelUid: null,
    tally: { onAir: false, supportedByUnit: false },
    sharing: false,
    alerts: [],
    metadata: {},
    story: null,
    promptMetadata: false,
    multiCameraLabels: [],
    cameraPriorities: [],
    modems: [],
    offlineModems: [],
    hasExtender: false,
    workingMode: 'video',
    videoPerformance: '',
    delay: 1000,
    ntp: false,
    transmissionMode: 'cellularBonding',
    multiCameraSelectedMode: null,
    filenamePrefix: '',
    storeAndForwardVideoQuality: 'standard',
    intercoms: [],
    multipleCamera: null,
    switcherMode: null,
    switcherAndProxy: null,
    cameraInput: 1,
    settingsConfiguration: null,
    storages: [],
    machine: null,
    uploadedFiles: [],
    configurationUpdated: true,
    speedTestCompleted: false,
    speedTest: null,
    upgrade: null,
    cellularNetworks: [],
    cellularNetworksUpdated: false,
    wifi: [],
    socialMediaStatus: null,
    cdnStreams: [],
    camera: null,
    cameras: [],
    uplink: null,
    transmission: null,
    command: null,
    reportedAt: device.lastSeenMs,
    reportIntervalMs: device.reportIntervalMs,
  }
}
