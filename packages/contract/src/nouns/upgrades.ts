/** Upgrades of units and servers: what forbids one, what must be known before it, and what became of it. */

import { z } from 'zod'
import { type PlainCode, ReasonCause, WireCause } from '../define/refusals.ts'
import { productOf } from './products.ts'
import type { SoftwareVersion } from './software-versions.ts'
import { compareVersions, isAtLeast, versionParts } from './versions.ts'

/**
 * 1. pending: waits until the device is idle;
 * 2. upgrading: the device installs it, then starts anew;
 * 3. succeeded: the device came back with the version (final);
 * 4. failed: the device said why it could not, or did not come back with the version (final);
 * 5. rejected: nothing was installed, a rule or the device says no (final).
 * A new target takes the place of 1, 3, 4 and 5; clearing ends 1 alone (ST-UPG rows, GAP-STATE-03, GAP-SRV-08).
 */
export const UpgradeState = z.enum(['pending', 'upgrading', 'succeeded', 'failed', 'rejected'])
export type UpgradeState = z.infer<typeof UpgradeState>

export const Upgrade = z.object({
  device: z.string(),
  state: UpgradeState,
  percent: z.number().int().min(0).max(100),
  resultCode: z.number().int().nullable().describe('Why it failed or was rejected; null without a code'),
  reason: z.string().nullable().describe('The same in words'),
  cause: ReasonCause,
  version: z.string(),
  versionNumberId: z.string(),
  by: z.string().describe('User name of who asked'),
  changedAt: z.number(),
})
export type Upgrade = z.infer<typeof Upgrade>

/** What an upgrade can end with, as devices tell it (ER-UPG-01 to -08). */
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

/** The lowest versions of systems between which no customer goes back without the vendor (CO-ADMIN-20). */
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
  /** At work, or doing something that must not be interrupted. */
  isBusy: boolean
  /** Undefined until it has told. */
  canUpgrade: boolean | undefined
  hasHevc: boolean | undefined
  /** Of the server whose channel the unit has selected. */
  channelServerVersion: string | undefined
  hasEncoderInput: boolean
}

export interface UpgradeRefusal {
  reason: PlainCode
  /** 409 where the specification has none of its own. */
  code: number
  /** True for what passes by itself: the upgrade waits for it, unless it was wanted now. */
  passes: boolean
}

const no = (reason: PlainCode, code = 409, passes = false): UpgradeRefusal => ({ reason, code, passes })

/** Why the device cannot be upgraded to this version, the first of the rules of appendix G that says no. */
export function upgradeRefusal(device: UpgradedDevice, target: SoftwareVersion): UpgradeRefusal | undefined {
  return ofDevice(device) ?? ofTarget(device, target) ?? ofSteps(device.swVersion, target.number)
}

function ofDevice(device: UpgradedDevice): UpgradeRefusal | undefined {
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

/** What a person is told beforehand of an upgrade that is allowed. */
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

/** A version as it can be chosen for one device. */
export const UpgradeChoice = z.object({
  versionNumberId: z.string(),
  version: z.string(),
  description: z.string(),
  releaseNotesUrl: z.string(),
  refusal: z
    .object({ code: z.number().int(), message: z.string(), cause: WireCause, passes: z.boolean() })
    .nullable()
    .describe('Why not; one that passes by itself forbids to upgrade now alone'),
  warnings: z.array(z.string()),
})
export type UpgradeChoice = z.infer<typeof UpgradeChoice>

export const UpgradeWish = z.strictObject({
  versionNumberId: z.string().min(1).max(64),
  upgradeNow: z.boolean().default(false).describe('At once or not at all'),
})
export type UpgradeWish = z.infer<typeof UpgradeWish>
