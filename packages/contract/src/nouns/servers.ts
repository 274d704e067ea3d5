/** Receiving servers (EN-SERVER rows). */

import { z } from 'zod'
import { because, type Reason, rule } from '../define/refusals.ts'
import { SourceScheme } from './input-sources.ts'
import { MetadataFormat } from './metadata-formats.ts'
import { productOf, products } from './products.ts'
import { Upgrade } from './upgrades.ts'

export const ServerType = z.enum([
  'mmh_server',
  'vr_server',
  'ingest_server',
  'transceiver_server',
  'db_gateway',
])
export type ServerType = z.infer<typeof ServerType>

/** The type of a server by its product name (EN-SERVER-01, GAP-SRV-10). */
export function serverTypeOf(product: string): ServerType {
  switch (productOf(product).group) {
    case 'videoReturnServer':
      return 'vr_server'
    case 'transceiverServer':
      return 'transceiver_server'
    case 'ingestServer':
      return 'ingest_server'
    case 'databridgeGateway':
      return 'db_gateway'
    default:
      return 'mmh_server'
  }
}

/** The product of a server of a type until the server reports its own. */
export const productOfServerType: Readonly<Record<ServerType, string>> = {
  mmh_server: 'MMH Server',
  vr_server: 'Video Return Server',
  ingest_server: 'Ingest Server',
  transceiver_server: 'Transceiver Server',
  db_gateway: 'Databridge Gateway',
}

/** Names of the products whose channels return video to units. */
export const videoReturnProducts: readonly string[] = products
  .filter(({ group }) => group === 'videoReturnServer')
  .map(({ name }) => name)

/** Warnings of an ended contract, and of lost devices of a server (GAP-SRV-06). */
export const ServerWarning = z.object({
  code: z.enum(['GRACE_PERIOD', 'PENDING_TERMINATION', 'TALLY_DISCONNECTED', 'IFB_DISCONNECTED']),
  date: z.string().nullable().default(null).describe('Only the first two carry a date'),
})
export type ServerWarning = z.infer<typeof ServerWarning>

/** The offset of a clock from UTC in whole hours (EN-SERVER-23). */
export const serverTimeZones = Array.from({ length: 24 }, (_, at) => at - 11).map((hours) =>
  hours === 0 ? 'UTC' : `UTC${hours > 0 ? '+' : ''}${hours}`,
)

const abbreviations =
  'SST HST AKST PST MST CST EST AST BRT FNT CVT GMT CET EET MSK GST PKT BST ICT HKT JST AEST SBT NZST'.split(
    ' ',
  )

/** The name by which users know the offset of a zone (GAP-CONF-12). */
export const zoneAbbreviation = (zone: string): string => abbreviations[serverTimeZones.indexOf(zone)] ?? ''

export const MAX_CHANNELS = 64
export const GENLOCK_OFFSET_MAX = 511

/** A whole number. */
export const whole = (least: number, most: number) =>
  z
    .number(rule('number.required'))
    .int(rule('number.integer'))
    .min(least, rule('number.orMore', { least }))
    .max(most, rule('number.orLess', { most }))

/** The settings of a server, which are sent to it (EN-SERVER-17 to -23, GAP-SRV-01, GAP-SRV-09). */
export const ServerSettings = z.strictObject({
  IFBMode: z.enum(['off', 'SDI', 'IP']),
  maxChannels: whole(1, MAX_CHANNELS).describe('Channels beyond it are unavailable'),
  publishingMode: z
    .enum(['off', 'on demand', 'always'])
    .describe(
      'Whether files go to the hot folder of the server: those that users choose, or all that finish',
    ),
  hotfolderOutputFormat: z.enum(['mp4', 'mov', 'mkv']).describe('The container of published files'),
  metadataFormat: MetadataFormat.describe('Of the documents that are stored next to new files'),
  webrtcPort: whole(1, 65_535)
    .nullable()
    .describe('The first of the UDP ports for WebRTC; null takes any free ones'),
  genlockOffset: whole(-GENLOCK_OFFSET_MAX, GENLOCK_OFFSET_MAX),
  timezone: z.enum(serverTimeZones),
})
export type ServerSettings = z.infer<typeof ServerSettings>

/** The settings of a server without any set; it has as many channels as it offers. */
export const defaultServerSettings: Omit<ServerSettings, 'maxChannels'> = {
  IFBMode: 'off',
  publishingMode: 'off',
  hotfolderOutputFormat: 'mp4',
  metadataFormat: 'json',
  webrtcPort: null,
  genlockOffset: 0,
  timezone: 'UTC',
}

/** Settings that a server must report as supported; the number of channels is decided by core. */
export const FollowedSetting = ServerSettings.keyof().exclude(['maxChannels'])
export type FollowedSetting = z.infer<typeof FollowedSetting>

/** The machine that a server runs on (EN-SERVER-26). */
export const ServerSpecifications = z.object({
  hostName: z.string().max(255),
  operatingSystem: z.string().max(255),
  processor: z.string().max(255),
  cores: z.number().int(),
  memoryMb: z.number().int(),
  storageMb: z.number().int(),
})
export type ServerSpecifications = z.infer<typeof ServerSpecifications>

/**
 * Why one more channel of a server cannot put out (VA-STREAM-32, ER-OTHER-21, -22): `used` others do, `licensed` is null
 * without a limit.
 */
export function outputLicenceRefusal(used: number, licensed: number | null): Reason | undefined {
  if (licensed === null || used < licensed) return undefined
  return used > licensed ? 'server.outputLicence' : because('server.outputChannels', { most: licensed })
}

/** A device that a server is connected to; '' where there is none. */
export const BoxState = z.enum(['', 'connected', 'disconnected'])
export type BoxState = z.infer<typeof BoxState>

/** The capabilities of a machine, found by probing, never assumed. */
export const ServerCapabilities = z.object({
  protocolsIn: z.array(z.string()),
  protocolsOut: z.array(z.string()),
  encoders: z.array(z.string()),
  ffmpegVersion: z.string().nullable(),
  settings: z.array(FollowedSetting).optional().describe('The settings that it supports; none when absent'),
  audioRooms: z.boolean().optional().describe('Bridges the sound of audio rooms'),
  logs: z.boolean().optional().describe('Sends the logs of its channels'),
  uploads: z.boolean().optional().describe('Receives files of units'),
  sources: z.array(SourceScheme).optional().describe('From where it fetches the picture of an input'),
  fourK: z.boolean().optional().describe('Receives 4K and forwards it'),
  overlays: z.boolean().optional().describe('Draws graphics over the output of its channels'),
  smpte2110: z.boolean().optional().describe('Outputs its channels on SMPTE 2110 networks'),
  smpteOutputs: z
    .object({ flavors: z.array(z.string()), ancillary: z.boolean() })
    .optional()
    .describe('What these outputs carry; all flavours and ancillary data when absent'),
  ipPipe: z.boolean().optional().describe('Holds IP pipes of units'),
  upgrade: z.boolean().optional().describe('Installs other versions of its software by itself'),
})
export type ServerCapabilities = z.infer<typeof ServerCapabilities>

export const Server = z.object({
  deviceId: z.string(),
  uniqueId: z.string(),
  type: ServerType,
  name: z.string(),
  alias: z.string(),
  serialNumber: z.string(),
  comment: z.string(),
  inventoryId: z.string(),
  productType: z.string(),
  state: z.enum(['online', 'offline']),
  applications: z
    .record(z.string(), z.object({ channels: z.array(z.string()) }))
    .describe('What it does now, each with its channels: collecting, recording, playing'),
  swVersion: z.string(),
  targetVersion: z.string().nullable(),
  upgrade: Upgrade.nullable().describe('The newest upgrade and its outcome'),
  serverUsage: z
    .object({ cpuPercent: z.number(), memoryPercent: z.number(), storagePercent: z.number() })
    .nullable(),
  upTime: z.number().describe('Seconds'),
  tallyHwStatus: BoxState,
  audioHwStatus: BoxState,
  ...ServerSettings.shape,
  maxChannels: z.number().int().describe('As set, else as many as it offers'),
  outputChannels: z
    .number()
    .int()
    .nullable()
    .describe('How many of its channels its licence lets put out; null without a limit'),
  expiration: z.string().nullable().describe('When its contract ends'),
  warnings: z.array(ServerWarning),
  capabilities: ServerCapabilities.nullable(),
  addresses: z.array(z.string()),
  reportedAt: z.number().nullable(),
  reportIntervalMs: z.number(),
  rev: z.string(),
})
export type Server = z.infer<typeof Server>

/** A server as shown in a list of units. */
export const ListedServer = Server.pick({
  deviceId: true,
  type: true,
  name: true,
  serialNumber: true,
  comment: true,
  productType: true,
  state: true,
  applications: true,
  swVersion: true,
  reportedAt: true,
  reportIntervalMs: true,
  rev: true,
})
export type ListedServer = z.infer<typeof ListedServer>

/** The ids of its channels that receive, record or play a file now. */
export const channelsInUse = ({ applications }: Pick<Server, 'applications'>): string[] => [
  ...new Set(Object.values(applications).flatMap(({ channels }) => channels)),
]

/** The days for which a server continues after the end of its contract, and the days from then until it is removed. */
export const GRACE_DAYS = 30
export const TERMINATION_DAYS = 14

const DAY_MS = 86_400_000

/**
 * Warnings (ST-EXP-01):
 * 1. contract → grace: the contract has ended;
 * 2. grace → pending termination: the grace period is over; without a date once that has passed and the server still exists.
 */
export function serverWarnings(
  {
    expiration,
    tallyHwStatus,
    audioHwStatus,
  }: Pick<Server, 'expiration' | 'tallyHwStatus' | 'audioHwStatus'>,
  nowMs: number,
): ServerWarning[] {
  const warnings: ServerWarning[] = []
  const endMs = expiration === null ? Number.POSITIVE_INFINITY : Date.parse(expiration)
  const graceEndMs = endMs + GRACE_DAYS * DAY_MS
  const terminationMs = graceEndMs + TERMINATION_DAYS * DAY_MS
  const date = (ms: number) => new Date(ms).toISOString()
  if (nowMs >= terminationMs) warnings.push({ code: 'PENDING_TERMINATION', date: null })
  else if (nowMs >= graceEndMs) warnings.push({ code: 'PENDING_TERMINATION', date: date(terminationMs) })
  else if (nowMs >= endMs) warnings.push({ code: 'GRACE_PERIOD', date: date(graceEndMs) })
  if (tallyHwStatus === 'disconnected') warnings.push({ code: 'TALLY_DISCONNECTED', date: null })
  if (audioHwStatus === 'disconnected') warnings.push({ code: 'IFB_DISCONNECTED', date: null })
  return warnings
}
