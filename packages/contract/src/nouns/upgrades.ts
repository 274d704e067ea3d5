/** Upgrades of units and servers: reasons against one, warnings before it, and its outcome. */

import { z } from 'zod'
import { causeOf, english, type PlainCode, ReasonCause, WireCause } from '../define/refusals.ts'
import { productOf } from './products.ts'
import type { SoftwareVersion } from './software-versions.ts'
import { compareVersions, isAtLeast, versionParts } from './versions.ts'

/**
 * 1. pending: waits until the device is idle;
 * 2. upgrading: the device installs it, then restarts;
 * 3. succeeded: the device came back with the version (final);
 * 4. failed: the device reported the reason, or did not reconnect with the version (final);
 * 5. rejected: nothing was installed, refused by a rule or the device (final).
 * A new target replaces 1, 3, 4 and 5; clearing only ends 1 (ST-UPG rows, GAP-STATE-03, GAP-SRV-08).
 */
export const UpgradeState = z.enum(['pending', 'upgrading', 'succeeded', 'failed', 'rejected'])
export type UpgradeState = z.infer<typeof UpgradeState>

export const Upgrade = z.object({
  device: z.string(),
  state: UpgradeState,
  percent: z.number().int().min(0).max(100),
  resultCode: z.number().int().nullable().describe('Why it failed or was rejected; null without a code'),
  reason: z.string().nullable().describe('The same as a text'),
  cause: ReasonCause,
  version: z.string(),
  versionNumberId: z.string(),
  by: z.string().describe('User name of the requester'),
  changedAt: z.number(),
})
export type Upgrade = z.infer<typeof Upgrade>

/** Result codes of upgrades, as devices report them (ER-UPG-01 to -08). */
export const upgradeResults: Readonly<Record<number, PlainCode>> = {
  101: 'upgrade.installFailed',
  102: 'upgrade.driverFailed',
  103: 'upgrade.osFailed',
  104: 'upgrade.installAfterOsFailed',
  105: 'device.networkProblem',
  106: 'upgrade.noRepository',
  107: 'device.backupFailed',
  [-1]: 'upgrade.reboot',
}

/** The lowest versions of each operating system: a downgrade across these needs the vendor (CO-ADMIN-20). */
const osBoundaries = ['6', '7', '8.5', '9.0', '10.0']
/** CO-ADMIN-12. */
const NEVER_UP_TO = '5.1'

export interface UpgradedDevice {
  product: string
  /** '' until it has joined. */
  swVersion: string
  inventoryId: string
  isServer: boolean
  isOffline: boolean
  /** Transmitting, or doing something else that must not be interrupted. */
  isBusy: boolean
  /** Undefined until it was reported. */
  canUpgrade: boolean | undefined
  hasHevc: boolean | undefined
  /** The version of the server whose channel the unit has selected. */
  channelServerVersion: string | undefined
  hasEncoderInput: boolean
}

export interface UpgradeRefusal {
  reason: PlainCode
  /** 409 where the specification has none of its own. */
  code: number
  /** True for a temporary reason: the upgrade waits for it, unless it was requested for now. */
  passes: boolean
}

const no = (reason: PlainCode, code = 409, passes = false): UpgradeRefusal => ({ reason, code, passes })

/** Why the device cannot be upgraded to this version, the first of the rules of appendix G that forbids it. */
export function upgradeRefusal(device: UpgradedDevice, target: SoftwareVersion): UpgradeRefusal | undefined {
  return anyUpgradeRefusal(device) ?? ofTarget(device, target) ?? ofSteps(device.swVersion, target.number)
}

/** Why the device cannot be upgraded to any version. */
export function anyUpgradeRefusal(device: UpgradedDevice): UpgradeRefusal | undefined {
  const { product, swVersion, isServer, isOffline, isBusy, canUpgrade } = device
  if (!productOf(product).upgradable) return no('upgrade.model')
  if (!isServer && swVersion !== '' && compareVersions(swVersion, NEVER_UP_TO) <= 0)
    return no('upgrade.tooOld')
  if (canUpgrade === false) return no('upgrade.unsupported')
  if (isServer && productOf(product).group === 'transceiverServer') {
    if (isBusy) return no('upgrade.transceiver', 409, true)
    if (device.hasEncoderInput) return no('upgrade.transceiver')
  }
  if (isOffline) return isServer ? no('upgrade.serverOffline', 6199, true) : no('unit.offline', 409, true)
  if (isBusy) return isServer ? no('upgrade.notIdle', 6808, true) : no('unit.busy', 409, true)
}

function ofTarget(device: UpgradedDevice, target: SoftwareVersion): UpgradeRefusal | undefined {
  const { product, inventoryId, isServer, channelServerVersion, hasHevc } = device
  const { number, products, supportedDevices, inventories, deprecated, path } = target
  if (!isServer && channelServerVersion !== undefined && !isAtLeast(channelServerVersion, number))
    return no('upgrade.serverFirst')
  const isTheirs = inventories.length === 0 || inventories.includes(inventoryId)
  if (deprecated || path === '' || !isTheirs || !products.includes(product))
    return no('upgrade.notAllowed', 6802)
  if (product === 'LU-600' && hasHevc === false) return no('upgrade.h264', 6803)
  if (supportedDevices.length > 0 && !supportedDevices.includes(productOf(product).group))
    return no('upgrade.hardware', 6810)
}

function ofSteps(from: string, to: string): UpgradeRefusal | undefined {
  if (from === '') return undefined
  if (from === to) return no('upgrade.isThere')
  if (osBoundaries.some((least) => isAtLeast(from, least) && !isAtLeast(to, least)))
    return no('upgrade.downgrade')
  if (versionParts(to)[0] === 9 && !isAtLeast(from, '8.5')) return no('upgrade.needs85')
  if (isAtLeast(to, '10.1') && !isAtLeast(from, '9.0')) return no('upgrade.needs9')
}

/** The warning before an upgrade that is allowed. */
export function upgradeWarnings(from: string, to: string): PlainCode[] {
  const [fromMajor, toMajor] = [versionParts(from)[0], versionParts(to)[0]]
  return [
    ...(fromMajor === 6 && toMajor === 7 ? (['upgrade.newOs'] as const) : []),
    ...(compareVersions(from, '9.2.1') === 0 &&
    compareVersions(to, from) > 0 &&
    compareVersions(to, '9.2.6') !== 0
      ? (['upgrade.reset'] as const)
      : []),
  ]
}

/** A warning shown before an upgrade: `message` is the English of `cause`. */
export const UpgradeWarning = z.object({ message: z.string(), cause: WireCause })
export type UpgradeWarning = z.infer<typeof UpgradeWarning>

/** The warnings as core answers them. */
export const shownWarnings = (from: string, to: string): UpgradeWarning[] =>
  upgradeWarnings(from, to).map((code) => ({ message: english(code), cause: causeOf(code) }))

/** A version as it can be chosen for one device. */
export const UpgradeChoice = z.object({
  versionNumberId: z.string(),
  version: z.string(),
  description: z.string(),
  releaseNotesUrl: z.string(),
  refusal: z
    .object({ code: z.number().int(), message: z.string(), cause: WireCause, passes: z.boolean() })
    .nullable()
    .describe('Why not; a temporary reason only forbids to upgrade now'),
  warnings: z.array(UpgradeWarning),
})
export type UpgradeChoice = z.infer<typeof UpgradeChoice>

export const UpgradeRequest = z.strictObject({
  versionNumberId: z.string().min(1).max(64),
  upgradeNow: z.boolean().default(false).describe('Now or not at all'),
})
export type UpgradeRequest = z.infer<typeof UpgradeRequest>
