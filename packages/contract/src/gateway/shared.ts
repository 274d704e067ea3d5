/** The common part of units and servers at the gateway: paths, limits, close codes, first and last messages. */
import { z } from 'zod'
import { message } from '../define/message.ts'
import { DeviceCause } from '../define/refusals.ts'

export const GATEWAY_PATH = '/gateway'
export const GATEWAY_PROTOCOL = 1

/**
 * Path of the uploads of units: the unit puts its parts to /{upload id}?from={first byte}&of={size}&modified={ms
 * since 1970}, each with its own token, and gets the number of bytes that were accepted; the server gets the file
 * there, from the first missing byte on: /{upload id}?from={bytes kept}.
 */
export const GATEWAY_UPLOADS_PATH = `${GATEWAY_PATH}/uploads`
/** Most bytes of a part. */
export const UPLOAD_PART_BYTES = 192 * 1024

/** Path of the packages of software: a device gets the one of its running upgrade from /{upgrade id}, in ranges. */
export const GATEWAY_PACKAGES_PATH = `${GATEWAY_PATH}/packages`

/** A larger frame closes the socket. */
export const MAX_FRAME_BYTES = 64 * 1024
/** Messages a device may send each second, with a burst of as many again; more is a flood and closes the socket. */
export const MAX_MESSAGES_PER_SECOND = 50
/**
 * A socket without a register or hello within this time is closed; the time that core needs to answer does not count.
 * A device waits for an answer as long, and starts again with every \`queued\`.
 */
export const HELLO_WITHIN_MS = 10_000

/** Why core closes a device's socket. After `unknownToken` a device must register again, after `identityInUse` it must wait a minute. */
export const closeCodes = {
  malformed: 4400,
  unknownToken: 4401,
  notAllowed: 4403,
  silent: 4408,
  identityInUse: 4409,
  tooLarge: 1009,
  flood: 4429,
  coreStops: 1001,
} as const

export const DeviceKind = z.enum(['unit', 'server'])
export type DeviceKind = z.infer<typeof DeviceKind>

/** A place for a channel of a server; core makes a channel for each slot that it does not know yet. */
export const ChannelSlot = z.object({
  slot: z.string().regex(/^[\w-]{1,32}$/),
  name: z.string().max(64).describe('A first name for the channel; users may rename it'),
  inputType: z
    .enum(['srt', 'rist', 'rtmp', 'webrtc', 'sdi'])
    .nullable()
    .describe('null receives bonded units'),
  sdiNo: z
    .number()
    .int()
    .positive()
    .nullish()
    .describe('The SDI output of the server that the channel feeds'),
  output: z.boolean().optional().describe('The server can forward it: to destinations, by playing files'),
  members: z
    .array(z.string().regex(/^[\w-]{1,32}$/))
    .min(1)
    .max(4)
    .optional()
    .describe('Slots of the same server that together receive one unit with several cameras'),
})
export type ChannelSlot = z.infer<typeof ChannelSlot>

/** Why a device did not do something. */
const Why = {
  reason: z.string().max(255).optional(),
  cause: DeviceCause.optional().describe(
    'The code of the reason; absent where the device has words of its own',
  ),
}

export const FailedUpgrade = z.object({
  upgradeId: z.string().max(64),
  resultCode: z.number().int(),
  ...Why,
})
export type FailedUpgrade = z.infer<typeof FailedUpgrade>

const Identity = {
  kind: DeviceKind,
  product: z.string().min(1).max(64).describe('Product type, see nouns/products.ts'),
  serialNumber: z.string().min(1).max(64),
  name: z.string().min(1).max(64).describe('A first name; core keeps a name given by users'),
  swVersion: z.string().min(1).max(32),
}

/** First message of a device without a token. */
export const register = message(
  'register',
  'device',
  'Requests an identity with a registration key or a pairing code',
  {
    protocol: z.literal(GATEWAY_PROTOCOL),
    ...Identity,
    registrationKey: z.string().min(6).max(128),
  },
)

export const registered = message(
  'registered',
  'core',
  'The identity; the token is sent once and must be stored',
  {
    deviceId: z.string(),
    token: z.string(),
  },
)

/** First message of a device that dialled with `Authorization: Bearer <token>`, or after `registered`. */
export const hello = message('hello', 'device', 'The device is there', {
  protocol: z.literal(GATEWAY_PROTOCOL),
  ...Identity,
  bootId: z
    .string()
    .min(1)
    .max(64)
    .describe(
      'New at every start of the device software; distinguishes a reconnect from a second device with the same identity',
    ),
  reportIntervalMs: z.number().int().min(100).max(60_000).describe('How often telemetry comes'),
  slots: z.array(ChannelSlot).max(64).optional().describe('Servers only'),
  appliedRevision: z
    .number()
    .int()
    .min(0)
    .describe('Revision of the wanted state that the device has applied'),
  failedUpgrade: FailedUpgrade.optional().describe(
    'Why the device returned to its previous version; until core has welcomed it',
  ),
})

/** Sent while a whole fleet reconnects at the same time. */
export const queued = message(
  'queued',
  'core',
  'Core has received the register or hello and answers later: keep the connection and wait',
  {},
)
/**
 * The interval of `queued` to a device that waits for the answer to its register or hello; well within HELLO_WITHIN_MS.
 */
export const QUEUED_EVERY_MS = 4000

export const welcome = message('welcome', 'core', 'Core knows the device; a full report is expected next', {
  deviceId: z.string(),
  serverTime: z.number(),
  previewKey: z
    .string()
    .optional()
    .describe('Servers only: the key of the signatures of core’s requests to this server, and to no other'),
  previewTime: z
    .number()
    .optional()
    .describe('Servers only: now, in milliseconds of the clock by which core dates those signatures'),
})

/** `{time}.{HMAC-SHA256 of "{time} {method} {path and query}" with previewKey, base64url}`, valid for a minute. */
export const PREVIEW_SIGNATURE_HEADER = 'x-backhaul-signature'

export const refused = message('refused', 'core', 'Why core is about to close the socket', {
  code: z.number().int(),
  message: z.string(),
})

/** The `args` of each order: see orders.ts. */
export const OrderName = z.enum([
  'reboot',
  'shutdown',
  'virtual_channels_updated',
  'reset_instance',
  'delete_certificate',
  'send_logs',
  'stop_logs',
  'rename_file',
  'remove_file',
  'play_file',
  'stop_file',
  'publish_file',
  'describe_file',
  'receive_file',
  'forget_upload',
  'list_folder',
  'upload_file',
  'delete_files',
  'put_overlay',
  'upgrade',
  'wifi_query',
  'wifi_connect',
  'wifi_disconnect',
  'network_scan',
  'network_select_manual',
  'network_select_automatic',
  'set_active_sim',
  'set_modem_configuration',
])
export type OrderName = z.infer<typeof OrderName>

/** Orders are for actions that are not a state. The same id is never carried out twice. */
export const order = message('order', 'core', 'Do this once', {
  id: z.string(),
  name: OrderName,
  args: z.record(z.string(), z.unknown()),
  deadlineMs: z.number().describe('Milliseconds since 1970; it must not be carried out later'),
})

export const outcome = message(
  'outcome',
  'device',
  'What became of an order, or of a wanted revision that cannot be followed',
  {
    id: z.string().optional().describe('Of the order'),
    revision: z.number().int().optional().describe('Of the wanted state'),
    state: z.enum(['accepted', 'confirmed', 'refused']),
    ...Why,
  },
)

/** Characters of one part of a log, so that a frame is below its limit in any encoding. */
export const LOG_PART_LENGTH = 12_000

export const logPart = message('logPart', 'device', 'Some lines of the log that core has ordered', {
  logId: z.string().max(64),
  at: z.number().int().min(0).describe('Counts the parts from 0'),
  text: z.string().max(LOG_PART_LENGTH),
  isLast: z.boolean(),
})

/** The `args` of the order to upgrade: the version, and its path in the repository. */
export const UpgradeArgs = z.object({
  upgradeId: z.string().max(64),
  version: z.string().max(32),
  path: z.string().max(1024),
})
export type UpgradeArgs = z.infer<typeof UpgradeArgs>

export const upgradeProgress = message('upgradeProgress', 'device', 'How far the ordered upgrade has come', {
  upgradeId: z.string().max(64),
  percent: z.number().int().min(0).max(100),
  resultCode: z.number().int().nullable().describe('Why it failed; null while it runs'),
  ...Why,
})
