/** Several cameras of one unit: the modes, the settings, and the shares in the rate (GAP-CONF-10, CO-UNIT-16, -17). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import type { Activity } from './unit-status.ts'
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

/** The channels that highQuality sends to: one chosen for each camera, or those of a group channel in order. */
export const MultipleCamera = z.object({
  numberOfFeeds: z.number().int().min(1).max(CAMERAS_MAX),
  channelSelectionMode: FeedSelectionMode,
  customSelectedChannels: z.array(z.string().max(64)).max(CAMERAS_MAX),
  channel: z.string().max(64).nullable().describe('The group channel'),
})
export type MultipleCamera = z.infer<typeof MultipleCamera>

/** The channels that the two modes of the switcher send to. */
export const SwitcherChannels = z.object({
  highQualityChannel: z.string().max(64).nullable(),
  proxyChannel: z.string().max(64).nullable(),
})
export type SwitcherChannels = z.infer<typeof SwitcherChannels>

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
