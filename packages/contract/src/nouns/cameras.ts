/** Several cameras of one unit: the modes, how many a unit may send, and to which channels they go (GAP-CONF-10, CO-UNIT-16, -17, -33). */

import { z } from 'zod'
import { because, type PlainCode, type Reason, rule } from '../define/refusals.ts'
import { gate } from './gates.ts'
import type { Activity } from './unit-status.ts'
import type { Unit } from './units.ts'
import { FeedSelectionMode } from './video-return.ts'

/**
 * How a unit sends its cameras:
 * - highQuality: each to a channel of its own;
 * - switcher: one at a time to one channel, chosen while it runs;
 * - switcherAndProxy: the same, and all of them in one small picture to a second channel.
 */
export const MultiCameraMode = z.enum(['highQuality', 'switcher', 'switcherAndProxy'])
export type MultiCameraMode = z.infer<typeof MultiCameraMode>

/** `single` is no multi-camera mode: the unit sends its first camera. */
export const CameraMode = z.enum(['single', ...MultiCameraMode.options])
export type CameraMode = z.infer<typeof CameraMode>

/** CO-UNIT-16. */
export const CAMERAS_MAX = 4
/** VA-UNIT-09. */
export const CAMERA_LABEL_MAX = 12

/** 1 is cut last when the links carry less than all cameras want (CO-UNIT-17, GAP-CONF-18). */
export const cameraPriorities = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const

export const CameraLabels = z
  .array(z.string().max(CAMERA_LABEL_MAX, rule('text.atMost', { most: CAMERA_LABEL_MAX })))
  .max(CAMERAS_MAX)
export const CameraPriorities = z.array(z.literal([...cameraPriorities])).max(CAMERAS_MAX)

/** Sockets count from 1. */
export const CameraNumber = z.number().int().min(1).max(CAMERAS_MAX)

/** The modes that a unit is licensed for (EN-MISC-01, CO-UNIT-33). */
export const MultiCameraService = z.enum(['none', 'pro2', 'pro4'])
export type MultiCameraService = z.infer<typeof MultiCameraService>

const camerasOf: Readonly<Record<MultiCameraService, number>> = { none: 1, pro2: 2, pro4: CAMERAS_MAX }

/** A licence without a number is for all cameras. */
export function multiCameraService({ services }: Pick<Unit, 'services'>): MultiCameraService {
  if (!services.includes('multiCamera')) return 'none'
  return services.includes('pro2') ? 'pro2' : 'pro4'
}

/** The number of cameras that the unit may send together. */
export const camerasAllowed = (unit: Pick<Unit, 'services'>): number => camerasOf[multiCameraService(unit)]

type Able = Pick<Unit, 'capabilities' | 'services' | 'license' | 'swVersion' | 'camera'>

const capabilityOf: Readonly<Record<MultiCameraMode, string>> = {
  highQuality: 'multiCamera',
  switcher: 'switcher',
  switcherAndProxy: 'switcherAndProxy',
}

/** Why a unit cannot send several cameras at all (ER-UNIT-32, -33); undefined when it can. */
export function multiCameraRefusal(unit: Able): PlainCode | undefined {
  const modes = MultiCameraMode.options
  const closed = modes.map((mode) => modeRefusal(unit, mode))
  return closed.includes(undefined) ? undefined : closed[0]
}

/** The same of one mode. */
export function modeRefusal(unit: Able, mode: MultiCameraMode): PlainCode | undefined {
  if (unit.capabilities[capabilityOf[mode]] !== true) return 'camera.noMode'
  return gate('multiCamera', { unit }) ?? (unit.camera?.quadLink === true ? 'camera.quadLink' : undefined)
}

/** The activity that shows a mode in the status of a unit (EN-ACT-02, -11, -12). */
export const activityOf = {
  highQuality: 'multiCamera',
  switcher: 'switcher',
  switcherAndProxy: 'switcherAndProxy',
} as const satisfies Record<MultiCameraMode, Activity>
export const CameraActivity = z.enum(Object.values(activityOf))
export type CameraActivity = z.infer<typeof CameraActivity>

/** The default until users choose. */
export const noFeeds: MultipleCamera = {
  numberOfFeeds: 2,
  channelSelectionMode: 'automaticByServer',
  customSelectedChannels: [],
  channel: null,
}
export const noSwitcher: SwitcherChannels = { highQualityChannel: null, proxyChannel: null }

/** One picture on its way to a channel; `camera` is null for the proxy, which shows all of them. */
export const CameraFeed = z.object({ camera: CameraNumber.nullable(), channelId: z.string() })
export type CameraFeed = z.infer<typeof CameraFeed>

/** Which channels the cameras of highQuality go to: one chosen for each, or those of a group channel in order. */
export const MultipleCamera = z.object({
  numberOfFeeds: z.number().int().min(1).max(CAMERAS_MAX),
  channelSelectionMode: FeedSelectionMode,
  customSelectedChannels: z.array(z.string().max(64)).max(CAMERAS_MAX),
  channel: z.string().max(64).nullable().describe('The group channel'),
})
export type MultipleCamera = z.infer<typeof MultipleCamera>

/** Which channels the two modes of the switcher send to. */
export const SwitcherChannels = z.object({
  highQualityChannel: z.string().max(64).nullable(),
  proxyChannel: z.string().max(64).nullable(),
})
export type SwitcherChannels = z.infer<typeof SwitcherChannels>

/** The channel of each picture, '' where no channel is chosen. `members` are those of the chosen group channel. */
export function feedsOf(
  {
    multiCameraSelectedMode: mode,
    multipleCamera,
    switcherMode,
    switcherAndProxy,
    cameraInput,
  }: Pick<
    Unit,
    'multiCameraSelectedMode' | 'multipleCamera' | 'switcherMode' | 'switcherAndProxy' | 'cameraInput'
  >,
  members: readonly string[],
): CameraFeed[] {
  const high = (channel: string | null | undefined) => ({ camera: cameraInput, channelId: channel ?? '' })
  if (mode === 'switcher') return [high(switcherMode?.highQualityChannel)]
  if (mode === 'switcherAndProxy')
    return [
      high(switcherAndProxy?.highQualityChannel),
      { camera: null, channelId: switcherAndProxy?.proxyChannel ?? '' },
    ]
  if (mode === null || multipleCamera === null) return []
  const { channelSelectionMode, customSelectedChannels, numberOfFeeds } = multipleCamera
  const chosen = channelSelectionMode === 'custom' ? customSelectedChannels : members
  return Array.from({ length: numberOfFeeds }, (_, at) => ({ camera: at + 1, channelId: chosen[at] ?? '' }))
}

/** Why these pictures cannot be sent now (ER-UNIT-32 to -34); undefined when they can. */
export function feedsRefusal(
  unit: Able & Pick<Unit, 'multiCameraSelectedMode' | 'cameras'>,
  feeds: readonly CameraFeed[],
  isFree: (channelId: string) => boolean,
): Reason | undefined {
  const mode = unit.multiCameraSelectedMode
  if (mode === null || feeds.length === 0) return 'camera.notInMode'
  const closed = modeRefusal(unit, mode) ?? countRefusal(unit, mode, feeds.length)
  if (closed !== undefined) return closed
  if (new Set(feeds.map(({ channelId }) => channelId)).size < feeds.length) return 'camera.channelTwice'
  const isThere = (camera: number | null) => camera === null || unit.cameras[camera - 1]?.connected === true
  if (!feeds.every(({ camera }) => isThere(camera))) return 'camera.notConnected'
  return feeds.every(({ channelId }) => isFree(channelId)) ? undefined : 'channel.busyOrOffline'
}

/** The service counts the cameras that are sent at once in high quality. */
export const countRefusal = (
  unit: Pick<Unit, 'services'>,
  mode: MultiCameraMode,
  feeds: number,
): Reason | undefined =>
  mode === 'highQuality' && feeds > camerasAllowed(unit)
    ? because('camera.tooMany', { most: camerasAllowed(unit) })
    : undefined

/**
 * The share of each camera in the rate, in kbit/s: a tenth of its wanted rate for each, the rest by priority. Cameras
 * of one priority share it by what they still lack (GAP-CONF-18).
 */
export function ratesOf(
  totalKbps: number,
  cameras: readonly { priority: number; wantedKbps: number }[],
): number[] {
  const least = cameras.map(({ wantedKbps }) => wantedKbps / 10)
  const leastTogether = least.reduce((sum, kbps) => sum + kbps, 0)
  const rates = least.map((kbps) => kbps * Math.min(1, totalKbps / Math.max(1, leastTogether)))
  let left = Math.max(0, totalKbps - leastTogether)
  const ranks = [...new Set(cameras.map(({ priority }) => priority))].sort((a, b) => a - b)
  for (const rank of ranks) {
    const missing = cameras.map(({ priority, wantedKbps }, at) =>
      priority === rank ? wantedKbps - (rates[at] ?? 0) : 0,
    )
    const together = missing.reduce((sum, kbps) => sum + kbps, 0)
    const given = Math.min(left, together)
    left -= given
    for (const [at, kbps] of missing.entries())
      if (together > 0) rates[at] = (rates[at] ?? 0) + (given * kbps) / together
  }
  return rates
}
