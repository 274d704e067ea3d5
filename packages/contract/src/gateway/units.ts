/** The reports and the wanted state of a unit. */
import { z } from 'zod'
import { message } from '../define/message.ts'
import { DeviceCause } from '../define/refusals.ts'
import { Battery } from '../nouns/battery.ts'
import { CAMERAS_MAX, CameraActivity, CameraNumber } from '../nouns/cameras.ts'
import { DATABRIDGE_PORTS_MAX, DatabridgePort } from '../nouns/databridge.ts'
import { ActualIntercom, IntercomMode, IntercomNumber, intercomNumbers } from '../nouns/intercom.ts'
import { ActualExtender, LINK_EXTENDERS_MAX, WantedExtenders } from '../nouns/link-extenders.ts'
import { LinkData, LinkKind } from '../nouns/modems.ts'
import { SpeedTest } from '../nouns/speed-tests.ts'
import { FolderEntry, StoragePath, UploadId } from '../nouns/unit-files.ts'
import { CellularScan, MODEMS_MAX, UnitModem, WifiStatus } from '../nouns/unit-networks.ts'
import { UnitSettings } from '../nouns/unit-settings.ts'
import { Applications, UnitStatus } from '../nouns/unit-status.ts'
import { Camera, Location, Storage, UnitMachine } from '../nouns/units.ts'
import { ReceivedReturn } from '../nouns/video-return.ts'
import { WorkingMode } from '../nouns/working-modes.ts'
import { UploadTunnel } from './uploads.ts'

/** A link's slow facts; its fast figures come as telemetry. */
export const Link = z.object({
  port: z.number().int().min(0).max(63),
  id: z.string().max(64),
  kind: LinkKind,
  enabled: z.boolean(),
  carrier: z.string().max(64).optional(),
  technology: z.string().max(32).optional(),
  activeSim: z.enum(['A', 'B']).optional(),
  roaming: z.boolean().optional(),
  address: z.string().max(64).optional(),
  data: LinkData.optional().describe('All that it has carried; absent where it is not counted'),
})
export type Link = z.infer<typeof Link>

/** The actual state of the unit. A report carries the fields that changed; the first one after `welcome` carries all. */
export const UnitActual = z.object({
  state: z.string().max(64),
  status: UnitStatus.optional().describe('Only when the unit itself sets one, such as unavailable'),
  applications: Applications,
  channelId: z.string().nullable().describe('The channel that the unit has selected'),
  transmissionId: z.string().nullable().describe('The transmission that it sends now'),
  failure: z
    .string()
    .max(255)
    .nullish()
    .describe('Why the wanted transmission does not run now; null without a reason'),
  failureCause: DeviceCause.nullish().describe('The code of that reason, where it has one'),
  delayMs: z.number().int(),
  workingMode: WorkingMode,
  speedTest: SpeedTest.nullable(),
  links: z.array(Link).max(64),
  storages: z.array(Storage).max(16),
  machine: UnitMachine.optional().describe('Absent where the unit knows nothing of its machine'),
  camera: Camera.nullable(),
  cameras: z.array(Camera).max(CAMERAS_MAX).optional().describe('Of each socket, where there are several'),
  capabilities: z.record(z.string().max(64), z.boolean()),
  settings: UnitSettings.optional().describe('All that the unit supports, as applied'),
  videoReturnId: z.string().nullish().describe('The video return that it fetches now'),
  returnFailure: z
    .string()
    .max(255)
    .nullish()
    .describe('Why the wanted video return does not come now; null without a reason'),
  returnFailureCause: DeviceCause.nullish().describe('The code of that reason, where it has one'),
  receivedReturn: ReceivedReturn.nullish().describe('What it receives of that'),
  databridgeId: z.string().nullish().describe('The databridge that it has or is starting'),
  databridgeFailure: z
    .string()
    .max(255)
    .nullish()
    .describe('Why the wanted databridge does not run now; null without a reason'),
  databridgeFailureCause: DeviceCause.nullish().describe('The code of that reason, where it has one'),
  ipPipeId: z.string().nullish().describe('The IP pipe that it has or is starting'),
  ipPipeFailure: z.string().max(255).nullish().describe('Why the IP pipe failed; null without a reason'),
  ipPipeFailureCause: DeviceCause.nullish().describe('The code of that reason, where it has one'),
  extenders: z
    .array(ActualExtender)
    .max(LINK_EXTENDERS_MAX)
    .optional()
    .describe('Its wanted link extenders; absent where it supports none'),
  intercoms: z
    .array(ActualIntercom)
    .max(intercomNumbers.length)
    .optional()
    .describe('Its sessions; absent where it supports none'),
  wifi: z
    .array(WifiStatus)
    .max(MODEMS_MAX)
    .optional()
    .describe('Its Wi-Fi; absent where none can be set from here'),
  modems: z.array(UnitModem).max(MODEMS_MAX).optional().describe('Its modems, as far as they are known'),
  cellularNetworks: z
    .array(CellularScan)
    .max(MODEMS_MAX)
    .optional()
    .describe('The newest scan of each modem'),
  appliedRevision: z.number().int().min(0),
})
export type UnitActual = z.infer<typeof UnitActual>

/** An id that is given must be that of the unit itself: a message about any other unit is ignored (ST-LIVE-10). */
const unitId = z.string().max(64).optional()

export const unitReport = message('report', 'device', 'What changed in what the unit is', {
  unitId,
  actual: UnitActual.partial(),
})

/** One link over the last interval. */
export const LinkTelemetry = z.object({
  port: z.number().int().min(0).max(63),
  up: z.boolean(),
  kbps: z.number().min(0),
  downKbps: z.number().min(0).default(0),
  rttMs: z.number().min(0).nullable(),
  lossPercent: z.number().min(0).max(100).default(0),
  rtxPercent: z.number().min(0).max(100).default(0),
  capacityKbps: z.number().min(0).nullable().default(null),
  signal: z.record(z.string().max(16), z.number()).optional(),
})
export type LinkTelemetry = z.infer<typeof LinkTelemetry>

export const UnitSample = z.object({
  ts: z.number().describe('Milliseconds since 1970 by the unit; core corrects the offset'),
  links: z.array(LinkTelemetry).max(64),
  encoderKbps: z.number().nullable().default(null),
  capacityKbps: z.number().nullable().default(null),
  battery: Battery.nullable().optional(),
  location: Location.nullable().optional(),
})
export type UnitSample = z.infer<typeof UnitSample>

/** Number of samples in one message. */
export const SAMPLES_PER_MESSAGE = 60

/** Several samples after the unit was disconnected. */
export const unitTelemetry = message('telemetry', 'device', 'Measured figures, newest last', {
  unitId,
  samples: z.array(UnitSample).min(1).max(SAMPLES_PER_MESSAGE),
})

/** The most that the unit may send to a channel, over all links together and with repairs. */
const limitKbps = z.number().int().positive().optional()

/** A further picture of the same transmission, to a channel of its own; `camera` is null for one that shows all of them. */
export const WantedFeed = z.object({
  camera: CameraNumber.nullable(),
  channelId: z.string(),
  key: z.string(),
  targets: z.array(z.object({ host: z.string(), port: z.number().int() })).min(1),
  limitKbps,
})
export type WantedFeed = z.infer<typeof WantedFeed>

/**
 * The receiver of a transmission and the way to send. The key is base64 of 32 bytes, for AES-256-GCM on the payload.
 */
export const WantedTransmission = z.object({
  id: z.string(),
  channelId: z.string(),
  key: z.string(),
  targets: z.array(z.object({ host: z.string(), port: z.number().int() })).min(1),
  speedTestMs: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Test data over all links for this time, in place of a programme'),
  limitKbps,
  activity: CameraActivity.optional().describe('How several cameras are sent; absent for a single one'),
  feeds: z
    .array(WantedFeed)
    .max(CAMERAS_MAX - 1)
    .optional()
    .describe('The other pictures than the first camera'),
})
export type WantedTransmission = z.infer<typeof WantedTransmission>

/**
 * A video return to fetch: bonded RIST with media and control on one port; the unit calls over each of its links and is
 * answered over them. The key is base64 of 32 bytes, as for a transmission.
 */
export const WantedVideoReturn = z.object({
  id: z.string(),
  channelId: z.string(),
  key: z.string(),
  targets: z.array(z.object({ host: z.string(), port: z.number().int() })).min(1),
  latencyMs: z.number().int(),
})
export type WantedVideoReturn = z.infer<typeof WantedVideoReturn>

/** A session on a line of the intercom: the destination of the call, and its server. */
export const WantedIntercom = z.object({
  id: z.string(),
  intercom: IntercomNumber,
  mode: IntercomMode,
  destination: z.string().describe('An audio room or, in the mode targetChannel, a channel'),
  server: z.string(),
  account: z.string().nullable().describe('Of the unit at the server; null where it has none of its own'),
  roomId: z.string().describe('The audio room in which it speaks'),
  roomName: z
    .string()
    .optional()
    .describe('The present name of that room: another one changes nothing else of the session'),
  serverId: z.string().describe('Of the server that has the room'),
  key: z.string().describe('base64 of 32 bytes: sound is sealed with it'),
  targets: z
    .array(z.object({ host: z.string(), port: z.number().int() }))
    .min(1)
    .describe('Where the unit calls over each of its links, and is answered over them'),
})
export type WantedIntercom = z.infer<typeof WantedIntercom>

/** The sound of an IFB for the crew: called for as an intercom is, and only listened to. */
export const WantedIfb = z.object({
  id: z.string(),
  channelId: z.string().describe('The channel that it belongs to'),
  serverId: z.string(),
  key: z.string(),
  targets: WantedIntercom.shape.targets,
  delayMs: z.number().int(),
})
export type WantedIfb = z.infer<typeof WantedIfb>

/**
 * Data received at these ports of the unit goes to the gateway, over each of its links: called and answered as for an
 * intercom. A stream names its port by its place in the list.
 */
export const WantedDatabridge = z.object({
  id: z.string(),
  gatewayId: z.string(),
  key: z.string().describe('base64 of 32 bytes: everything is sealed with it'),
  targets: WantedIntercom.shape.targets,
  ports: z.array(DatabridgePort.pick({ protocol: true, port: true }).strip()).max(DATABRIDGE_PORTS_MAX),
})
export type WantedDatabridge = z.infer<typeof WantedDatabridge>

/**
 * Frames of the crew's Ethernet go into the network of the server and back, over each link of the unit: called and answered
 * as for an intercom, in one stream of a tunnel.
 */
export const WantedIpPipe = z.object({
  id: z.string(),
  serverId: z.string(),
  channel: z.string().describe('The channel of the server that carries it'),
  key: z.string().describe('base64 of 32 bytes: everything is sealed with it'),
  targets: WantedIntercom.shape.targets,
})
export type WantedIpPipe = z.infer<typeof WantedIpPipe>

export const UnitWanted = z.object({
  channelId: z.string().nullable(),
  delayMs: z.number().int(),
  transmission: WantedTransmission.nullable(),
  disabledLinks: z.array(z.number().int()).default([]),
  settings: UnitSettings.optional().describe(
    'Settings by users; the unit keeps its own values for the others',
  ),
  videoReturn: WantedVideoReturn.nullish(),
  extenders: WantedExtenders.optional().describe('Serial numbers of its link extenders'),
  intercoms: z.array(WantedIntercom).max(intercomNumbers.length).optional(),
  ifb: WantedIfb.nullish(),
  databridge: WantedDatabridge.nullish(),
  ipPipe: WantedIpPipe.nullish(),
})
export type UnitWanted = z.infer<typeof UnitWanted>

export const unitWanted = message(
  'wanted',
  'core',
  'What the unit should be; the newest revision replaces all earlier ones',
  {
    revision: z.number().int(),
    state: UnitWanted,
  },
)

/**
 * Core sends it only to units with the capability `tally`. The crew sees it; the lamps go off when the unit has been
 * disconnected from core for a few seconds.
 */
export const tally = message(
  'tally',
  'core',
  'Whether the unit is on air: after its first report, and immediately with every change',
  { onAir: z.boolean() },
)

/** The orders about files on units and their `args`; the unit answers each with an outcome. */
export const unitFileOrders = {
  list_folder: z.object({ listId: z.string(), path: StoragePath }),
  upload_file: z.object({
    uploadId: UploadId,
    path: StoragePath,
    tunnel: UploadTunnel.optional().describe('Goes to the server over all links; without it, through core'),
  }),
  delete_files: z.object({ paths: z.array(StoragePath) }),
} as const

/** Number of names in one message. */
export const ENTRIES_PER_MESSAGE = 40

/** Sent before the outcome of the order that requested it, in as many messages as needed. */
export const folder = message('folder', 'device', 'What a folder on the unit holds', {
  listId: z.string().max(64),
  entries: z.array(FolderEntry).max(ENTRIES_PER_MESSAGE),
})
