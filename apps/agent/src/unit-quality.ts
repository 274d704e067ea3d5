// The settings of a unit as far as this machine's encoder and links support them.
import { streamLabels } from '@backhaul/contract/nouns/recordings'
import { allowedKbps, type UnitSettings, videoComplexities } from '@backhaul/contract/nouns/unit-settings'
import { efforts } from '@backhaul/ffmpeg/video-coders'
import type { Quality } from './encoder/encoder.ts'
import { type RateLimits, videoKbpsFor } from './encoder/rate-follower.ts'
import type { UnitLink } from './links.ts'

/** In the transport stream the sound of a pair fills whole packets: 96 kbit/s become 141. */
const packetShare = 1.25

const uncapped = { option: 'disabled', customMbps: null } as const

/** The settings that this machine knows; everything else it leaves out, so that the console does not offer it. */
export const firstSettings = {
  workingMode: 'video',
  videoComplexity: 'standard',
  adaptiveResolution: true,
  shootingMode: 'static',
  ntp: false,
  audioChannels: 2,
  audioBitrate: 96,
  totalLimitKbps: 0,
  cellularLimitKbps: 0,
  totalCapping: uncapped,
  cellularCapping: uncapped,
  leastCostBonding: 'disabled',
  linkMode: 'cellularBonding',
  sendMode: 'live',
  storeAndForwardQuality: { 'H.264/AVC': 'standard', 'H.265/HEVC': 'standard' },
  storeAndForwardEncoder: 'H.264/AVC',
  filenamePrefix: '',
  metadata: {},
  defaultMetadata: {},
  ipInput: { protocol: 'srt', url: '', port: 9000, enabled: false },
} as const satisfies UnitSettings

/** Several sockets for cameras bring the settings of several cameras, an encoder for 10 bits the choice of them. */
export function firstSettingsOf(cameras: number, hasTenBits: boolean): UnitSettings {
  const settings: UnitSettings = hasTenBits ? { ...firstSettings, colorDepth: '8-bit' } : firstSettings
  if (cameras < 2) return settings
  return {
    ...settings,
    cameraMode: 'single',
    cameraInput: 1,
    cameraLimitKbps: 0,
    multiCameraLabels: [],
    cameraPriorities: Array.from({ length: cameras }, () => 1 as const),
  }
}

/** The quality of a camera, counted from 1. */
export const qualityOf = (settings: UnitSettings, camera = 1): Quality => ({
  audioKbps: settings.audioBitrate ?? firstSettings.audioBitrate,
  effort: efforts[videoComplexities.indexOf(settings.videoComplexity ?? 'standard')] ?? 'ultrafast',
  isAdaptive: settings.adaptiveResolution ?? true,
  hasMotion: settings.shootingMode === 'motion',
  label: settings.multiCameraLabels?.[camera - 1] ?? '',
  provider: streamLabels(settings),
  hasTimes: settings.ntp ?? false,
})

/** The sound of all pairs together: the rate of the picture has to leave room for it. */
function soundKbps(settings: UnitSettings): number {
  const pairs = (settings.audioChannels ?? firstSettings.audioChannels) / 2
  const { audioKbps } = qualityOf(settings)
  return pairs === 1 ? audioKbps : Math.ceil(pairs * audioKbps * packetShare)
}

/** The machine's own limits, with the sound and the total limit that were set. */
export function limitsUnder(settings: UnitSettings, own: RateLimits): RateLimits {
  const limits = { ...own, audioKbps: soundKbps(settings) }
  const { totalKbps } = allowedKbps(settings)
  return totalKbps === Infinity ? limits : { ...limits, highestKbps: videoKbpsFor(totalKbps, limits) }
}

/** Priority and limit of each link: those that were set, or else of every link alike. */
export const linkShares = (
  settings: UnitSettings,
  links: readonly UnitLink[],
): NonNullable<UnitSettings['links']> =>
  settings.links ?? Object.fromEntries(links.map(({ port }) => [port, { priority: 1, limitKbps: 0 }]))
