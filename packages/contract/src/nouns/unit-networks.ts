/** The networks that a unit joins by Wi-Fi and by its modems: what it reports of them, and what may be requested. */
import { z } from 'zod'
import { type PlainCode, rule } from '../define/refusals.ts'
import type { ModemStatus } from './modems.ts'
import { resetDays } from './usage-profiles.ts'

export const LinkPort = z.number().int().min(0).max(63).describe('Of the link in the unit')

/** `open` needs no password, `wpa` is WPA or WPA2 with one; a unit joins neither `wep` nor `enterprise`. */
export const wifiSecurities = ['open', 'wep', 'wpa', 'wpa3', 'enterprise'] as const
export const WifiSecurity = z.enum(wifiSecurities)
export type WifiSecurity = z.infer<typeof WifiSecurity>
export const joinableSecurities = ['open', 'wpa', 'wpa3'] as const

export const isJoinable = (security: WifiSecurity): security is (typeof joinableSecurities)[number] =>
  (joinableSecurities as readonly WifiSecurity[]).includes(security)

export const SSID_BYTES_MAX = 32
/** The length of a text in UTF-8 bytes. */
const bytesIn = (text: string): number =>
  [...text].reduce((sum, letter) => {
    const point = letter.codePointAt(0) ?? 0
    return sum + (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4)
  }, 0)

/** One network of the air, whichever of its stations is the strongest. */
export const WifiNetwork = z.object({
  ssid: z.string().min(1).max(SSID_BYTES_MAX),
  security: WifiSecurity,
  signalPercent: z.number().int().min(0).max(100),
  isKnown: z.boolean().describe('The unit has its password already'),
})
export type WifiNetwork = z.infer<typeof WifiNetwork>

/** Most networks of a scan that are listed: the strongest. */
export const WIFI_NETWORKS_MAX = 40

/** A Wi-Fi of the unit that can be set from here. */
export const WifiStatus = z.object({
  port: LinkPort,
  ssid: z.string().max(SSID_BYTES_MAX).nullable().describe('Of the network that it is connected to'),
  security: WifiSecurity.nullable(),
  networks: z.array(WifiNetwork).max(WIFI_NETWORKS_MAX),
  scannedAt: z.number().nullable().describe('Milliseconds since 1970'),
})
export type WifiStatus = z.infer<typeof WifiStatus>

/** The password of a WPA network: a pass phrase, or the key itself in hexadecimal digits. */
const isPassword = (text: string): boolean => /^([\x20-\x7e]{8,63}|[\da-f]{64})$/i.test(text)

/** The network to join (EN-WIFI rows). A known one needs no password. */
export const WifiJoin = z
  .strictObject({
    port: LinkPort.optional().describe('The first Wi-Fi of the unit when absent'),
    ssid: z
      .string()
      .min(1, rule('field.required'))
      .refine((ssid) => bytesIn(ssid) <= SSID_BYTES_MAX, rule('wifi.ssid')),
    security: z.enum(joinableSecurities),
    password: z.string().max(64).optional().describe('Never reported back'),
    isHidden: z.boolean().default(false).describe('The network does not announce its name'),
  })
  .superRefine(({ security, password }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['password'], message })
    if (security === 'open' && password !== undefined) refuse(rule('wifi.openPassword'))
    if (security !== 'open' && password !== undefined && !isPassword(password)) refuse(rule('wifi.password'))
  })
export type WifiJoin = z.infer<typeof WifiJoin>

export const authProtocols = ['PAP', 'CHAP', 'both', 'none'] as const
/** CO-UNIT-29. */
export const networkModes = ['3G/4G/5G', '3G/4G', '4G'] as const
export const NetworkMode = z.enum(networkModes)
export type NetworkMode = z.infer<typeof NetworkMode>
export const SimSlot = z.enum(['A', 'B'])
export type SimSlot = z.infer<typeof SimSlot>

const text = (most: number, form: RegExp) => z.string().max(most).regex(form, rule('field.pattern'))

/** The settings with which a modem joins the network of its carrier. */
const accessShape = {
  dialInString: text(32, /^[\d*#+]*$/),
  username: text(64, /^[\x20-\x7e]*$/),
  authProtocol: z.enum(authProtocols),
  automaticApn: z.boolean().describe('The unit chooses it by the carrier of the SIM'),
  apn: text(100, /^[\w.-]*$/),
}

export const ModemAccess = z.object({
  ...accessShape,
  dialInString: accessShape.dialInString.optional().describe('Absent where the modem dials none'),
  hasPassword: z.boolean().describe('The password itself is never reported'),
})
export type ModemAccess = z.infer<typeof ModemAccess>

export const SimFacts = z.object({ iccid: z.string().max(32), eid: z.string().max(40) })
export type SimFacts = z.infer<typeof SimFacts>

export const selectionModes = ['automatic', 'manual'] as const

export const NetworkSelection = z.object({
  mode: z.enum(selectionModes),
  network: z.string().max(8).nullable().describe('Code of the network that was chosen by hand'),
})
export type NetworkSelection = z.infer<typeof NetworkSelection>

/** A modem as the unit reports it (EN-MODEM rows). */
export const UnitModem = z.object({
  port: LinkPort,
  vendor: z.string().max(64),
  type: z.string().max(64),
  imei: z.string().max(20),
  simA: SimFacts.nullable(),
  simB: SimFacts.nullable(),
  access: ModemAccess.nullable().describe('null where it cannot be set from here'),
  networkMode: NetworkMode.nullable(),
  networkModes: z.array(NetworkMode).describe('Those that can be set'),
  cellId: z.string().max(16),
  locationAreaCode: z.string().max(16),
  selection: NetworkSelection.nullable().describe('null where the modem does not report it'),
  canScan: z.boolean(),
})
export type UnitModem = z.infer<typeof UnitModem>

export const MODEMS_MAX = 16

/** MCC and MNC. */
export const NetworkCode = text(6, /^\d{5,6}$/)

/** A cellular network that a scan has found. */
export const CellularNetwork = z.object({
  code: NetworkCode,
  name: z.string().max(64),
  technology: z.string().max(32),
  state: z.enum(['available', 'current', 'forbidden', 'unknown']),
})
export type CellularNetwork = z.infer<typeof CellularNetwork>

export const CELLULAR_NETWORKS_MAX = 32

/** The newest scan of a modem, and which network it uses. */
export const CellularScan = z.object({
  port: LinkPort,
  networks: z.array(CellularNetwork).max(CELLULAR_NETWORKS_MAX),
  selected: z.string().max(8).nullable().describe('Code of the network that was chosen by hand'),
  scannedAt: z.number().describe('Milliseconds since 1970'),
})
export type CellularScan = z.infer<typeof CellularScan>

/** CO-UNIT-31. */
export const dataMonitoringModes = ['none', 'per hours', 'per data'] as const

/** The monthly limit by which the use of a modem is monitored (GAP-CONF-13). */
export const DataMonitoring = z
  .strictObject({
    mode: z.enum(dataMonitoringModes),
    limit: z.number().int().min(0).max(1_000_000_000).describe('Hours, or MBytes'),
    resetDay: z
      .number()
      .int()
      .min(resetDays.first)
      .max(resetDays.last)
      .describe('The last day in months that are shorter'),
  })
  .refine(({ mode, limit }) => mode === 'none' || limit > 0, {
    path: ['limit'],
    message: rule('number.orMore', { least: 1 }),
  })
export type DataMonitoring = z.infer<typeof DataMonitoring>
export const unmonitored: DataMonitoring = { mode: 'none', limit: 0, resetDay: 1 }

export const DataUse = z.object({
  used: z.number().describe('Hours that it was connected, or MBytes in both directions, since the reset day'),
  overLimit: z.boolean(),
})
export type DataUse = z.infer<typeof DataUse>

export const ModemPassword = text(64, /^[\x20-\x7e]*$/).describe("'' takes it away; never reported back")

const unitChanges = { ...accessShape, networkMode: NetworkMode }
/** The fields of a change that are sent to the unit, in addition to the password. */
export const UnitModemChanges = z.object(unitChanges).partial()
export type UnitModemChanges = z.infer<typeof UnitModemChanges>

/** Changes that a user requests; a setting that is not named is kept. */
export const ModemChanges = z
  .strictObject({ ...unitChanges, password: ModemPassword, dataMonitoring: DataMonitoring })
  .partial()
export type ModemChanges = z.infer<typeof ModemChanges>

/** A modem as users read it. */
export const ModemConfiguration = UnitModem.omit({ access: true }).extend({
  ...ModemAccess.shape,
  hasAccess: z.boolean().describe('Whether dial-in string, user, password and APN can be set'),
  signalStrength: z.number().nullable().describe('dBm'),
  activeSim: SimSlot.nullable(),
  dataMonitoring: DataMonitoring,
  dataUse: DataUse.nullable().describe('null while nothing is watched'),
})
export type ModemConfiguration = z.infer<typeof ModemConfiguration>

type Connected = Pick<ModemStatus, 'port' | 'connected' | 'enabled'>

const inUse = (links: readonly Connected[]) => links.filter(({ connected, enabled }) => connected && enabled)

/** Why a modem cannot scan now (ER-UNIT-14, -15): during a scan it carries nothing. Undefined when it can. */
export function scanRefusal(
  modem: Pick<UnitModem, 'port' | 'canScan'>,
  links: readonly Connected[],
): PlainCode | undefined {
  if (!modem.canScan) return 'cellularScan.unsupported'
  const [first, ...others] = inUse(links)
  return first?.port === modem.port && others.length === 0 ? 'cellularScan.onlyModem' : undefined
}

/** The least number of links that must remain connected while the unit transmits (CO-UNIT-10). */
export const LINKS_AT_LEAST = 2

/**
 * The effect of disabling these ports on the links in use (VA-UNIT-15, -16, GAP-CONF-04): `few` leaves fewer than two,
 * `none` leaves none; undefined needs no confirmation.
 */
export function linksLeft(
  links: readonly Connected[],
  disabled: readonly number[],
): 'few' | 'none' | undefined {
  const before = inUse(links)
  const left = before.filter(({ port }) => !disabled.includes(port)).length
  if (left === before.length || left >= LINKS_AT_LEAST) return undefined
  return left === 0 ? 'none' : 'few'
}
