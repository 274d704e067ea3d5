/** The unit: every field of the specification, and further live ones for operators (EN-UNIT rows). */
import { z } from 'zod'
import { DeviceCause, ReasonCause } from '../define/refusals.ts'
import { Alert } from './alerts.ts'
import { Battery } from './battery.ts'
import {
  CAMERAS_MAX,
  CameraFeed,
  CameraLabels,
  CameraNumber,
  CameraPriorities,
  MultiCameraMode,
  MultipleCamera,
  SwitcherChannels,
} from './cameras.ts'
import { CdnStream } from './cdn-streams.ts'
import { ChannelDescriptor } from './channels.ts'
import { Command } from './commands.ts'
import { DatabridgeGateway } from './databridge.ts'
import { Intercom, intercomNumbers, SipAccount } from './intercom.ts'
import { IpPipe } from './ip-pipe.ts'
import { GraphPoint, ModemStatus } from './modems.ts'
import { Comment, Name } from './names.ts'
import { productOf } from './products.ts'
import { SettingsConfiguration } from './settings-configurations.ts'
import { SocialMediaStatus } from './social-media.ts'
import { SpeedTestLink } from './speed-tests.ts'
import { UnitStory } from './stories.ts'
import { FileUpload, UPLOADS_KEPT } from './unit-files.ts'
import { CellularScan, WifiStatus } from './unit-networks.ts'
import { PairingCodeMode } from './unit-pairing.ts'
import { ActivityState, Applications, countedState, UnitStatus } from './unit-status.ts'
import { Upgrade } from './upgrades.ts'
import { ReceivedReturn, SelectedVideoReturn } from './video-return.ts'
import { WorkingMode } from './working-modes.ts'

export const LinkMode = z.enum(['cellularBonding', 'fixedInternet'])

export const Location = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  address: z.string().max(255).default(''),
  accuracyM: z.number().nonnegative().optional().describe('Metres, as the receiver of the position says'),
})
export type Location = z.infer<typeof Location>

export const Storage = z.object({
  path: z.string().max(255),
  totalBytes: z.number(),
  freeBytes: z.number(),
})
export type Storage = z.infer<typeof Storage>

/** The machine that a unit runs on, as reported by the unit; null is a value that the machine does not provide. */
export const UnitMachine = z.object({
  temperatureC: z
    .number()
    .int()
    .min(-100)
    .max(300)
    .nullable()
    .describe('Of the hottest of its sensors, degrees Celsius'),
  isClockSynchronized: z.boolean().nullable().describe('Its clock follows a time server (NTP)'),
})
export type UnitMachine = z.infer<typeof UnitMachine>

/** Frames of a camera that is on air get lost in the unit, which does not keep pace with its picture. */
export const FrameLoss = z.object({
  percent: z.number().min(0).max(100).describe('Of the frames of the last seconds'),
  reason: z.string().max(255),
  cause: DeviceCause.optional().describe('The code of that reason, where it has one'),
})
export type FrameLoss = z.infer<typeof FrameLoss>

/** The hardware that encodes the picture of a camera on air has failed, and software does it. */
export const HardwareFault = z.object({
  reason: z.string().max(255),
  cause: DeviceCause.optional().describe('The code of that reason, where it has one'),
})
export type HardwareFault = z.infer<typeof HardwareFault>

/** The input picture of the unit's encoder. */
export const Camera = z.object({
  connected: z.boolean(),
  kind: z.string().max(32).describe('testPattern, file, v4l2, url, sdi, hdmi'),
  width: z.number().int(),
  height: z.number().int(),
  fps: z.number(),
  codec: z.enum(['H.264/AVC', 'H.265/HEVC']),
  quadLink: z.boolean().optional().describe('One 4K picture that takes all sockets of the unit'),
  audioChannels: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('The most audio channels that can be chosen with it; absent: 16 of SDI, 2 of all else'),
  frameLoss: FrameLoss.optional().describe('Absent while none are lost'),
  hardwareFault: HardwareFault.optional().describe(
    'From the failure on air until the end of the transmission; absent otherwise',
  ),
})
export type Camera = z.infer<typeof Camera>
/** The faults of a camera that is on air. */
export type CameraFaults = Pick<Camera, 'frameLoss' | 'hardwareFault'>

const noCameras: readonly Camera[] = []

interface ReportedCameras {
  camera?: Camera | null | undefined
  cameras?: readonly Camera[] | undefined
}

/** The cameras in the order of the sockets; a unit with one socket reports its camera alone. */
export function camerasBySocket({ camera, cameras = noCameras }: ReportedCameras): readonly Camera[] {
  if (cameras.length > 0) return cameras
  return camera ? [camera] : noCameras
}

/** Uplink of all links together, as the list shows it. */
export const Uplink = z.object({
  kbps: z.number().describe('Sent over all links'),
  encoderKbps: z.number().nullable(),
  capacityKbps: z.number().nullable(),
  rttMs: z.number().nullable().describe('Worst of the links in use'),
  lossPercent: z.number().describe('Before repair, over all links'),
  droppedPackets: z.number().int().describe('Lost after repair since the transmission began'),
})
export type Uplink = z.infer<typeof Uplink>

export const SafQuality = z.enum(['high', 'standard', 'low'])

export const Unit = z.object({
  unitUniqueId: z.string(),
  deviceId: z.string(),
  uid: z.string(),
  uname: z.string(),
  name: z.string(),
  comment: z.string(),
  type: z.string().describe('Product type'),
  serialNumber: z.string(),
  shortSwVersion: z.string(),
  swVersion: z.string(),
  displayVersion: z.string(),
  inventoryId: z.string(),
  status: UnitStatus,
  state: z.string().describe('Raw state text of the device'),
  applications: Applications,
  video: ActivityState.nullable(),
  databridge: ActivityState.extend({ gateway: z.string().optional() }).nullable(),
  videoReturn: ActivityState.extend({
    channel: z.string().optional(),
    received: ReceivedReturn.nullish().describe('Of a unit that reports it'),
    reason: z.string().nullish().describe('Why it does not come now'),
    cause: ReasonCause,
  }).nullable(),
  selectedVideoReturn: SelectedVideoReturn.nullable().describe(
    'The video return channel that it starts with',
  ),
  ipPipe: IpPipe.describe('Its state, and why it failed'),
  fileTransfer: ActivityState.nullable(),
  busy: z.boolean(),
  idle: z.boolean(),
  offline: z.boolean(),
  inTransition: z.boolean(),
  transition: z.enum(['starting', 'stopping']).nullable(),
  videoReturnInTransition: z.boolean(),
  databridgeInTransition: z.boolean(),
  speedTestInTransition: z.boolean(),
  license: z
    .object({ raHours: z.number(), rlHours: z.number(), valid: z.boolean().default(true) })
    .nullable(),
  usage: z.number().nullable(),
  usageInfo: z
    .object({
      type: z.enum(['data', 'hours']),
      used: z.number(),
      limit: z.number(),
      resetDay: z.number().int(),
      overUsage: z.boolean(),
    })
    .nullable(),
  usageProfileId: z.string().nullable(),
  services: z.array(z.string()),
  capabilities: z.record(z.string(), z.boolean()),
  location: Location.nullable(),
  battery: Battery.nullable(),
  channelId: z.string().nullable(),
  previewChannelId: z.string().nullable().describe('The selected channel, when it is one for previews alone'),
  highQualityChannelId: z.string().nullable(),
  proxyChannelId: z.string().nullable(),
  selChannel: ChannelDescriptor.nullable(),
  selectedChannels: z.array(z.string()),
  selectedChannelName: z
    .string()
    .describe('"" when none is selected, External when unknown or the licence is invalid'),
  ptmpChannel: z.string().nullable(),
  destinationChannelUid: z
    .string()
    .nullable()
    .describe('Of a point-to-point unit: the channel that it transmits to alone'),
  tally: z.object({ onAir: z.boolean(), supportedByUnit: z.boolean() }),
  sharing: z.boolean(),
  alerts: z.array(Alert),
  metadata: z.record(z.string(), z.string()),
  story: UnitStory.nullable().describe('The story that was assigned last'),
  promptMetadata: z.boolean().describe('Users enter the metadata of its files before an upload'),
  multiCameraLabels: CameraLabels,
  cameraPriorities: CameraPriorities,
  modems: z.array(ModemStatus),
  offlineModems: z.array(ModemStatus),
  rawModemInfo: z
    .unknown()
    .describe('The links as the unit reported them last; only in answers about one unit'),
  hasExtender: z.boolean(),
  workingMode: WorkingMode,
  videoPerformance: z.string(),
  delay: z.number().int().describe('Milliseconds from glass to output'),
  ntp: z.boolean(),
  transmissionMode: LinkMode,
  multiCameraSelectedMode: MultiCameraMode.nullable(),
  filenamePrefix: z.string().max(32),
  storeAndForwardVideoQuality: SafQuality,
  intercoms: z.array(Intercom).max(intercomNumbers.length).describe('Each line that the unit has'),
  multipleCamera: MultipleCamera.nullable().describe('In the mode highQuality'),
  switcherMode: SwitcherChannels.nullable(),
  switcherAndProxy: SwitcherChannels.nullable(),
  cameraInput: CameraNumber.describe('The camera that the switcher shows'),
  settingsConfiguration: SettingsConfiguration.nullable(),
  storages: z.array(Storage),
  machine: UnitMachine.nullable().describe('Of a unit that reports on its machine'),
  uploadedFiles: z.array(FileUpload).max(UPLOADS_KEPT).describe('The newest first'),
  configurationUpdated: z.boolean(),
  speedTestCompleted: z.boolean(),
  speedTest: z
    .object({
      channelId: z.string(),
      links: z.array(SpeedTestLink).max(64),
      done: z.boolean(),
      reason: z.string().nullable().describe('Why it ended without figures'),
      cause: ReasonCause,
    })
    .nullable()
    .describe('The newest speed test that core knows of'),
  cellularNetworks: z.array(CellularScan).describe('The newest scan of each modem'),
  cellularNetworksUpdated: z.boolean().describe('The scan that was requested last has results'),
  wifi: z.array(WifiStatus).describe('What can be set from here'),
  socialMediaStatus: SocialMediaStatus.nullable(),
  cdnStreams: z.array(CdnStream).describe('Destinations of the channel that it transmits to'),
  camera: Camera.nullable(),
  cameras: z.array(Camera).max(CAMERAS_MAX).describe('Of each socket, where the unit has several'),
  uplink: Uplink.nullable(),
  transmission: z
    .object({
      id: z.string(),
      channelId: z.string(),
      feeds: z.array(CameraFeed).optional().describe('Of several cameras; the first is that of the channel'),
      startedAt: z.number(),
      by: z.string(),
    })
    .nullable()
    .describe('The transmission that core wants and records; null when none'),
  upgrade: Upgrade.nullable().describe('The newest upgrade and its outcome'),
  command: Command.nullable().describe('The newest command and its outcome'),
  reportedAt: z.number().nullable().describe('When the device last sent anything, milliseconds since 1970'),
  reportIntervalMs: z.number().describe('How often it is expected to; older than two of these is stale'),
  rev: z.string().describe('Revision token for subscribing to unit.{uid}'),
})
export type Unit = z.infer<typeof Unit>

export const UnitCounters = z.object({
  busy: z.number().int(),
  idle: z.number().int(),
  offline: z.number().int(),
  field: z.number().int(),
  camera: z.number().int(),
  lite: z.number().int(),
  smart: z.number().int(),
  ptmp: z.number().int(),
  ptp: z.number().int(),
  activeAlerts: z.number().int(),
})
export type UnitCounters = z.infer<typeof UnitCounters>

type Counted = Pick<Unit, 'type' | 'status' | 'applications' | 'alerts'>

const cameraActivities = ['multiCamera', 'switcher', 'switcherAndProxy'] as const

/** Counts a group's units from scratch (EN-UCNT rows); camera = field units in a multi-camera activity (GAP-UNIT-04). */
export function countUnits(units: Iterable<Counted>): UnitCounters {
  const counters: UnitCounters = {
    busy: 0,
    idle: 0,
    offline: 0,
    field: 0,
    camera: 0,
    lite: 0,
    smart: 0,
    ptmp: 0,
    ptp: 0,
    activeAlerts: 0,
  }
  for (const unit of units) {
    counters[countedState(unit)]++
    counters.activeAlerts += unit.alerts.length
    const { group } = productOf(unit.type)
    if (group === 'fieldUnits') counters.field++
    if (group === 'liteUnits') counters.lite++
    if (group === 'smartUnits') counters.smart++
    if (group === 'ptmpUnits') counters.ptmp++
    if (group === 'ptpUnits') counters.ptp++
    const inCameraMode = cameraActivities.some((activity) => unit.applications?.[activity] !== undefined)
    if (group === 'fieldUnits' && inCameraMode) counters.camera++
  }
  return counters
}

/** Older than two report intervals: the value is shown with its age, and not as live. */
export const isStale = (unit: Pick<Unit, 'reportedAt' | 'reportIntervalMs'>, nowMs: number): boolean =>
  unit.reportedAt === null || nowMs - unit.reportedAt > 2 * unit.reportIntervalMs

/** A unit with the records that belong to it; null where there is none (EP-UREAD-11, EN-RECS rows). */
export const EnhancedUnit = Unit.extend({
  inventory: z.object({ id: z.string(), name: z.string() }),
  groups: z.array(z.object({ uid: z.string(), name: z.string() })),
  groupFeatures: z.record(z.string(), z.boolean()),
  sipAccount: SipAccount.nullable().describe('For intercom (EN-RECS-08)'),
  databridgeGateway: DatabridgeGateway.nullable(),
  pairingCodeMode: PairingCodeMode,
  modemGraph: z.array(GraphPoint).describe('360 points of 5 s from the kept time series'),
  transceiverGraph: z
    .array(GraphPoint)
    .nullable()
    .describe('The same of a transceiver feed; null for every other unit'),
})
export type EnhancedUnit = z.infer<typeof EnhancedUnit>

/** The fields of a unit that may be changed; a field that is not named is kept. */
export const UnitChanges = z.strictObject({ name: Name.optional(), comment: Comment.optional() })
