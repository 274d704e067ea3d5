// What of the settings of a unit this machine's encoder and links can do, and how.
import { allowedKbps, type UnitSettings, videoComplexities } from '@backhaul/contract/nouns/unit-settings'
import { efforts } from '@backhaul/ffmpeg/encode-arguments'
import type { Quality } from './encoder/encoder.ts'
import { type RateLimits, videoKbpsFor } from './encoder/rate-follower.ts'

const uncapped = { option: 'disabled', customMbps: null } as const

/** The settings that this machine knows; everything else it leaves out, so that nobody is promised it. */
export const firstSettings = {
  videoComplexity: 'standard',
  adaptiveResolution: true,
  audioChannels: 2,
  audioBitrate: 96,
  totalLimitKbps: 0,
  totalCapping: uncapped,
} as const satisfies UnitSettings

export const qualityOf = (settings: UnitSettings): Quality => ({
  audioKbps: settings.audioBitrate ?? firstSettings.audioBitrate,
  effort: efforts[videoComplexities.indexOf(settings.videoComplexity ?? 'standard')] ?? 'ultrafast',
  isAdaptive: settings.adaptiveResolution ?? true,
})

/** The machine's own limits, with the sound and the total limit that were set. */
export function limitsUnder(settings: UnitSettings, own: RateLimits): RateLimits {
  const limits = { ...own, audioKbps: qualityOf(settings).audioKbps }
  const { totalKbps } = allowedKbps(settings)
  return totalKbps === Infinity ? limits : { ...limits, highestKbps: videoKbpsFor(totalKbps, limits) }
}
