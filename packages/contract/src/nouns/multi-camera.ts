/** Whether a unit may send several cameras, how many, and to which channels (GAP-CONF-10, CO-UNIT-33, ER-UNIT-32 to -34). */

import { z } from 'zod'
import { because, type PlainCode, type Reason } from '../define/refusals.ts'
import { CAMERAS_MAX, type CameraFeed, MultiCameraMode } from './cameras.ts'
import { gate } from './gates.ts'
import type { Unit } from './units.ts'

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

/** The reason why a unit cannot use one mode. */
export function modeRefusal(unit: Able, mode: MultiCameraMode): PlainCode | undefined {
  if (unit.capabilities[capabilityOf[mode]] !== true) return 'camera.noMode'
  return gate('multiCamera', { unit }) ?? (unit.camera?.quadLink === true ? 'camera.quadLink' : undefined)
}

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
