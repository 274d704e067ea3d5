// The rate of a returned picture: as it is set, or less where the unit limits its links.
import type { VrSettings } from '@backhaul/contract/nouns/video-return'

export const AUDIO_KBPS_PER_CHANNEL = 48
/** The rest is for packet headers, reports and packets that are sent again. */
const LIMIT_SHARE = 0.85
const LEAST_KBPS = 100
/** Each other rate begins with a new encoder: a link that comes and goes does not do that each time. */
const RISES_AFTER_MS = 10_000

/** Kilobits per second of the video alone; `limitKbps` is what the links may carry together. */
export const returnKbps = (
  { video, audio }: Pick<VrSettings, 'video' | 'audio'>,
  limitKbps: number,
): number =>
  Math.min(
    video.bitrateKbps,
    Math.max(LEAST_KBPS, Math.floor(limitKbps * LIMIT_SHARE - audio.channels * AUDIO_KBPS_PER_CHANNEL)),
  )

export interface LimitFollower {
  /** The limit that holds: a lower one from now on, a higher one once it has been there for 10 s. */
  follow(limitKbps: number, nowMs: number): number
}

export function createLimitFollower(): LimitFollower {
  let held = Number.POSITIVE_INFINITY
  let higherSinceMs: number | undefined
  return {
    follow(limitKbps, nowMs) {
      if (limitKbps <= held) higherSinceMs = undefined
      else higherSinceMs ??= nowMs
      if (higherSinceMs === undefined || nowMs - higherSinceMs >= RISES_AFTER_MS) {
        held = limitKbps
        higherSinceMs = undefined
      }
      return held
    },
  }
}
