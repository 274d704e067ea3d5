/** The settings of a unit: their values, and which of them belong together (EN-UCONF, EN-BW, EN-ETH, VA-UNIT rows). */

import { z } from 'zod'
import { type FieldFault, fault } from '../define/errors.ts'
import { because, type Reason, rule } from '../define/refusals.ts'
import { CameraLabels, CameraMode, CameraNumber, CameraPriorities } from './cameras.ts'
import { AudioJacks, IntercomLines } from './intercom.ts'
import type { LinkKind } from './modems.ts'
import { FilenamePrefix, Metadata } from './names.ts'
import type { Unit } from './units.ts'
import { WorkingMode } from './working-modes.ts'

export const videoComplexities = ['standard', 'medium', 'complex'] as const
export const colorDepths = ['8-bit', '10-bit/HDR'] as const
export const shootingModes = ['static', 'motion'] as const
export const audioChannelCounts = [2, 4, 8, 16] as const
export const audioBitratesKbps = [96, 128, 192] as const
export const safCodecs = ['H.265/HEVC', 'H.264/AVC'] as const
export const linkModes = ['cellularBonding', 'fixedInternet'] as const
export const sendModes = ['live', 'storeAndForward'] as const
export const safQualities = ['high', 'standard', 'low'] as const

/** The most channels that can be chosen: SDI has all (CO-UNIT-18), other sources have what the unit finds in them. */
export const mostAudioChannels = (camera: Unit['camera']): number =>
  camera?.audioChannels ?? (camera?.kind === 'sdi' ? 16 : 2)

/** The sound channels of each camera, when several are sent (CO-UNIT-19). */
export const CHANNELS_PER_CAMERA = 4

export const LIMIT_MIN_KBPS = 1000
export const LIMIT_MAX_KBPS = 20_000
/** The limit of several cameras together (CO-UNIT-12). */
export const LIMIT_MAX_MULTI_CAMERA_KBPS = 15_000

/** 0 limits nothing (GAP-CONF-03). */
export const LimitKbps = z
  .number()
  .int()
  .refine((kbps) => kbps === 0 || kbps >= LIMIT_MIN_KBPS, rule('number.orMore', { least: LIMIT_MIN_KBPS }))
  .refine((kbps) => kbps <= LIMIT_MAX_KBPS, rule('number.orLess', { most: LIMIT_MAX_KBPS }))

export const cappingOptions = ['disabled', 'custom', 3.6, 4.2, 4.4, 5.5, 6.2, 8] as const

const cappingShape = {
  option: z.literal([...cappingOptions]),
  customMbps: z
    .number()
    .min(1)
    .max(20)
    .refine((mbps) => Number(mbps.toFixed(1)) === mbps, rule('field.pattern'))
    .nullable()
    .default(null),
}
const customIsNamed = ({ option, customMbps }: { option: unknown; customMbps: number | null }) =>
  option !== 'custom' || customMbps !== null
const unnamed = { path: ['customMbps'], message: rule('number.required') }

/** The limit in Mbps; `custom` is a number of its own with one decimal (EN-BW-06, GAP-CONF-05). */
export const Capping = z.strictObject(cappingShape).refine(customIsNamed, unnamed)
export type Capping = z.infer<typeof Capping>

/** The capping of all links, and that of all modems. */
export const CappingChange = z
  .strictObject({ ...cappingShape, cellular: Capping.optional() })
  .refine(customIsNamed, unnamed)

/** The rate that a capping allows, in kbit/s; Infinity when it is disabled. */
export function cappedKbps(capping: Capping | undefined): number {
  if (capping === undefined || capping.option === 'disabled') return Infinity
  return Math.round((capping.option === 'custom' ? (capping.customMbps ?? 0) : capping.option) * 1000)
}

/** The rate that a limit allows, in kbit/s; Infinity when it is 0. */
export const limitedKbps = (limitKbps: number | undefined): number => limitKbps || Infinity

/** The lower of limit and capping applies (GAP-CONF-17). */
export const allowedKbps = (
  now: Pick<UnitSettings, 'totalLimitKbps' | 'cellularLimitKbps' | 'totalCapping' | 'cellularCapping'>,
): { totalKbps: number; cellularKbps: number } => ({
  totalKbps: Math.min(limitedKbps(now.totalLimitKbps), cappedKbps(now.totalCapping)),
  cellularKbps: Math.min(limitedKbps(now.cellularLimitKbps), cappedKbps(now.cellularCapping)),
})

interface LinkPlace {
  port: number
  kind: LinkKind
}

/** The rank of a link: 0 is filled first; links of one rank share by their capacity (CO-UNIT-32). */
export function linkRank({ leastCostBonding, links }: UnitSettings, { kind, port }: LinkPlace): number {
  if (leastCostBonding === 'modems first') return kind === 'modem' ? 0 : 1
  if (leastCostBonding === 'ETH/Wi-Fi first') return kind === 'modem' ? 1 : 0
  return leastCostBonding === 'per interface priority' ? (links?.[port]?.priority ?? 1) - 1 : 0
}

/** Ports, and what their links may carry together, in kbit/s. */
export interface PortLimit {
  ports: number[]
  kbps: number
}

/** Every limit and capping that holds for these links: of each, of all modems, of all. */
export function linkLimits(settings: UnitSettings, links: readonly LinkPlace[]): PortLimit[] {
  const { totalKbps, cellularKbps } = allowedKbps(settings)
  const modems = links.filter(({ kind }) => kind === 'modem')
  const portsOf = (some: readonly LinkPlace[]) => some.map(({ port }) => port)
  return [
    ...links.map((link) => ({
      ports: [link.port],
      kbps: limitedKbps(settings.links?.[link.port]?.limitKbps),
    })),
    { ports: portsOf(modems), kbps: cellularKbps },
    { ports: portsOf(links), kbps: totalKbps },
  ].filter(({ ports, kbps }) => kbps < Infinity && ports.length > 0)
}

/** Whether a link may carry data: no modem does while the unit uses its fixed line alone (GAP-CONF-07). */
export const mayCarry = ({ linkMode }: UnitSettings, { kind }: LinkPlace): boolean =>
  linkMode !== 'fixedInternet' || kind !== 'modem'

const isAddress = (text: string): boolean => z.ipv4().safeParse(text).success

/** '' where there is none. */
const Address = z.string().refine((text) => text === '' || isAddress(text), rule('address.ip'))

/** Ones, then zeros: 255.255.255.0. */
export function isSubnetMask(text: string): boolean {
  if (!isAddress(text)) return false
  const bits = text.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
  return /^1+0*$/.test(bits.join(''))
}

/** The settings with which an Ethernet socket joins its network (EN-ETH rows). */
export const Ethernet = z
  .strictObject({
    mac: z.string().max(32).default('').describe('Reported by the unit; read-only'),
    dhcp: z.boolean(),
    ip: Address,
    subnetMask: z.string().refine((text) => text === '' || isSubnetMask(text), rule('address.subnetMask')),
    defaultGateway: Address,
    dns1: Address,
    dns2: Address,
    powerOverEthernet: z.boolean().optional().describe('Absent where the socket supplies no power'),
  })
  .superRefine(({ dhcp, ip, subnetMask }, context) => {
    if (dhcp) return
    if (ip === '') context.addIssue({ code: 'custom', path: ['ip'], message: rule('address.ip') })
    if (subnetMask === '')
      context.addIssue({ code: 'custom', path: ['subnetMask'], message: rule('address.subnetMask') })
  })
export type Ethernet = z.infer<typeof Ethernet>

/** The quality of store and forward by codec: HQ, MQ, LQ (EN-UCONF-01 to -03). */
export const SafQualities = z.strictObject({
  'H.264/AVC': z.enum(safQualities),
  'H.265/HEVC': z.enum(safQualities),
})

const quality = z.enum(safQualities).optional()

/** Qualities that a user requests, for each codec by its name or its alias. */
export const SafQualityChange = z
  .strictObject({
    'H.264/AVC': quality,
    'H.265/HEVC': quality,
    h264: quality.describe('The same as H.264/AVC'),
    h265: quality.describe('The same as H.265/HEVC'),
  })
  .transform((given, context): z.infer<typeof SafQualities> => {
    const [avc, hevc] = [given['H.264/AVC'] ?? given.h264, given['H.265/HEVC'] ?? given.h265]
    for (const [name, value] of [
      ['H.264/AVC', avc],
      ['H.265/HEVC', hevc],
    ] as const)
      if (value === undefined)
        context.issues.push({ code: 'custom', path: [name], input: given, message: rule('field.required') })
    return { 'H.264/AVC': avc ?? 'standard', 'H.265/HEVC': hevc ?? 'standard' }
  })

/** The links that are filled first (CO-UNIT-32). */
export const leastCostModes = [
  'disabled',
  'modems first',
  'ETH/Wi-Fi first',
  'per interface priority',
] as const
export const linkPriorities = [1, 2, 3, 4] as const

export const LinkShare = z.strictObject({
  priority: z.literal([...linkPriorities]).describe('1st is filled first'),
  limitKbps: LimitKbps,
})
export type LinkShare = z.infer<typeof LinkShare>

export const ipProtocols = ['srt', 'rtmp', 'rtsp', 'mpegts'] as const

const ipSchemes: Readonly<Record<(typeof ipProtocols)[number], RegExp>> = {
  srt: /^srt:\/\//i,
  rtmp: /^rtmps?:\/\//i,
  rtsp: /^rtsps?:\/\//i,
  mpegts: /^(udp|rtp):\/\//i,
}

/** The whole address of an IP input; a bare host gets scheme and port. */
export function ipInputAddress({ protocol, url, port }: IpInput): string {
  if (url.includes('://')) return url
  const [host = '', ...path] = url.split('/')
  const tail = path.length > 0 ? `/${path.join('/')}` : ''
  return `${protocol === 'mpegts' ? 'udp' : protocol}://${host}:${port}${tail}`
}

/** A picture that comes over the network instead of a socket (GAP-CONF-06). */
export const IpInput = z
  .strictObject({
    protocol: z.enum(ipProtocols),
    url: z
      .string()
      .max(255)
      .regex(/^[^\s\p{Cc}'"\\]*$/u, rule('field.pattern'))
      .describe('A host, with a path where the protocol has one, or a whole address of the protocol'),
    port: z.number().int().min(1).max(65_535),
    enabled: z.boolean(),
  })
  .refine(({ enabled, url }) => !enabled || url !== '', { path: ['url'], message: rule('field.required') })
  .refine(({ protocol, url }) => !url.includes('://') || ipSchemes[protocol].test(url), {
    path: ['url'],
    message: rule('field.pattern'),
  })
export type IpInput = z.infer<typeof IpInput>

const Port = z.string().regex(/^\d{1,2}$/)

const shape = {
  workingMode: WorkingMode,
  videoComplexity: z.enum(videoComplexities),
  colorDepth: z.enum(colorDepths),
  adaptiveResolution: z.boolean(),
  shootingMode: z.enum(shootingModes),
  audioChannels: z.literal([...audioChannelCounts]),
  audioBitrate: z.literal([...audioBitratesKbps]).describe('kbps, AAC-LC'),
  storeAndForwardQuality: SafQualities,
  storeAndForwardEncoder: z.enum(safCodecs),
  /** The links that carry data, and whether the unit sends immediately or stores first (GAP-CONF-07). */
  linkMode: z.enum(linkModes),
  sendMode: z.enum(sendModes),
  filenamePrefix: FilenamePrefix,
  ntp: z.boolean(),
  ancillaryData: z.boolean(),
  liveuIq: z.boolean(),
  xtend: z.boolean().describe('Whether it sends over its link extenders too'),
  metadata: Metadata,
  defaultMetadata: Metadata,
  totalLimitKbps: LimitKbps,
  cellularLimitKbps: LimitKbps,
  cameraLimitKbps: LimitKbps,
  totalCapping: Capping,
  cellularCapping: Capping,
  leastCostBonding: z.enum(leastCostModes),
  links: z.record(Port, LinkShare).describe('Priority and limit by the port of the link'),
  ipInput: IpInput,
  ethernet: z.record(Port, Ethernet).describe('By the port of the link'),
  multiCameraLabels: CameraLabels,
  cameraPriorities: CameraPriorities,
}

/** Set by separate calls, since they do not depend on the unit alone. */
const ownShape = {
  cameraMode: CameraMode,
  cameraInput: CameraNumber.describe('The camera that the switcher shows'),
  intercoms: IntercomLines.describe('Each line of the intercom that the unit has'),
  audioJacks: AudioJacks,
}

/** The settings as the unit reports them: it does not support settings that it does not name. */
export const UnitSettings = z.object({ ...shape, ...ownShape }).partial()
export type UnitSettings = z.infer<typeof UnitSettings>

/** The changes that a user requests. */
export const SettingChanges = z.strictObject(shape).partial()

export const SettingName = z.enum(Object.keys(UnitSettings.shape) as [keyof typeof UnitSettings.shape])
export type SettingName = keyof UnitSettings

export const settingNames = (settings: Partial<Record<SettingName, unknown>>): SettingName[] =>
  Object.keys(settings) as SettingName[]

/** Requested settings that are not applied yet. */
export const unconfirmedOf = (wanted: UnitSettings, actual: UnitSettings = {}): SettingName[] =>
  settingNames(wanted).filter((name) =>
    name === 'ethernet' ? !isJoined(wanted, actual) : !isSame(wanted[name], actual[name]),
  )

/** A socket that is not plugged in now is not waited for. */
const isJoined = ({ ethernet: wanted = {} }: UnitSettings, { ethernet: actual }: UnitSettings): boolean =>
  actual !== undefined && socketChanges(wanted, actual).length === 0

/** The requested sockets that are not as requested, of those that are there. */
export const socketChanges = (
  wanted: Readonly<Record<string, Ethernet>>,
  actual: Readonly<Record<string, Ethernet>>,
): [port: string, Ethernet][] =>
  Object.entries(wanted).filter(([port, socket]) => {
    const now = actual[port]
    return now !== undefined && !isSame(requestedOf(socket), requestedOf(now))
  })

/** The requested fields of a socket, without the addresses where DHCP assigns them. */
function requestedOf({ mac: _, powerOverEthernet = false, dhcp, ...addresses }: Ethernet): object {
  return { powerOverEthernet, dhcp, ...(!dhcp && addresses) }
}

/**
 * The wanted settings after the unit has refused a change: what it did not apply is no longer wanted, since it would refuse
 * the same again with every later change. Settings that were changed again since are kept.
 */
export function withoutRefused(
  wanted: UnitSettings,
  refused: UnitSettings,
  actual: UnitSettings = {},
): UnitSettings {
  const open = unconfirmedOf(refused, actual).filter((name) => isSame(wanted[name], refused[name]))
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !open.includes(name as SettingName)))
}

/** Compares plain values, regardless of the order of their fields. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const names = Object.keys(a)
  const other = b as Record<string, unknown>
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => name in other && isSame((a as Record<string, unknown>)[name], other[name]))
  )
}

type Situation = Pick<Unit, 'camera' | 'multipleCamera'>

/** Faults of the settings with the changes applied, at the changed fields. */
export function settingFaults(
  changes: UnitSettings,
  before: UnitSettings,
  { camera, multipleCamera }: Situation,
): FieldFault[] {
  const after = { ...before, ...changes }
  const faults: FieldFault[] = []
  const refuse = (field: SettingName, reason: Reason) => faults.push(fault(field, reason))
  const { audioChannels = 2 } = changes
  const most = mostAudioChannels(camera)
  if (audioChannels > most)
    refuse('audioChannels', camera?.audioChannels ? because('audio.sourceHas', { most }) : 'audio.needsSdi')
  if (audioChannels > CHANNELS_PER_CAMERA && multipleCamera !== null)
    refuse('audioChannels', 'audio.channelsPerCamera')
  if (multipleCamera !== null) {
    for (const field of ['totalLimitKbps', 'cellularLimitKbps', 'cameraLimitKbps'] as const)
      if ((changes[field] ?? 0) > LIMIT_MAX_MULTI_CAMERA_KBPS)
        refuse(field, because('number.orLess', { most: LIMIT_MAX_MULTI_CAMERA_KBPS }))
  }
  const touches = (...fields: SettingName[]) => fields.some((field) => changes[field] !== undefined)
  const totalKbps = limitedKbps(after.totalLimitKbps)
  if (touches('totalLimitKbps', 'cellularLimitKbps') && (after.cellularLimitKbps ?? 0) > totalKbps)
    refuse('cellularLimitKbps', 'link.cellularAboveTotal')
  if (touches('totalLimitKbps', 'totalCapping') && isAbove(after.totalCapping, totalKbps))
    refuse('totalCapping', 'capping.aboveLimit')
  if (
    touches('totalCapping', 'cellularCapping') &&
    isAbove(after.cellularCapping, cappedKbps(after.totalCapping))
  )
    refuse('cellularCapping', 'capping.cellularAboveTotal')
  if (touches('totalLimitKbps', 'links')) {
    for (const port of linksAbove(after.links ?? {}, totalKbps))
      faults.push(fault(`links.${port}.limitKbps`, 'link.limitTooHigh'))
  }
  return faults
}

/** Ports whose limit is not below that of a higher priority, or where none has one, of the total (VA-UNIT-33). */
function linksAbove(links: Readonly<Record<string, LinkShare>>, totalKbps: number): string[] {
  return Object.entries(links).flatMap(([port, { priority, limitKbps }]) => {
    const higher = Object.values(links).filter((one) => one.priority < priority && one.limitKbps > 0)
    const boundKbps = Math.min(totalKbps, ...higher.map((one) => one.limitKbps))
    return limitKbps > 0 && limitKbps >= boundKbps ? [port] : []
  })
}

const isAbove = (capping: Capping | undefined, kbps: number): boolean => {
  const capped = cappedKbps(capping)
  return capped !== Infinity && capped > kbps
}
