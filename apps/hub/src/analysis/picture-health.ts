import type { AudioLevel, PictureHealth } from '@backhaul/contract/nouns/channels'
import type { PictureMeasure } from './measured-lines.ts'

const BLACK_AVERAGE = 8
const BLACK_HIGH = 12
/** Coding noise of a still scene is below this; the breath of a speaker is above. */
const FROZEN_CHANGE = 0.2
const FROZEN_AFTER_MS = 5000
const SILENT_PEAK_DB = -60
const SILENT_AFTER_MS = 5000

/** Judges picture and sound over time: black at once, frozen and silent after five seconds without a break. */
export function createHealthJudge() {
  let black = false
  let stillSinceMs: number | undefined
  let quietSinceMs: number | undefined
  let hasSound = false
  return {
    picture({ averageBrightness, highBrightness, change }: PictureMeasure, nowMs: number): void {
      black = averageBrightness <= BLACK_AVERAGE && highBrightness <= BLACK_HIGH
      stillSinceMs = change <= FROZEN_CHANGE ? (stillSinceMs ?? nowMs) : undefined
    },
    levels(levels: readonly AudioLevel[], nowMs: number): void {
      hasSound = true
      const isQuiet = levels.every(({ peakDb }) => peakDb < SILENT_PEAK_DB)
      quietSinceMs = isQuiet ? (quietSinceMs ?? nowMs) : undefined
    },
    /** A black picture does not count as frozen; a stream without any sound is not silent but mute by design. */
    verdict: (nowMs: number): PictureHealth => ({
      black,
      frozen: !black && stillSinceMs !== undefined && nowMs - stillSinceMs >= FROZEN_AFTER_MS,
      silent: hasSound && quietSinceMs !== undefined && nowMs - quietSinceMs >= SILENT_AFTER_MS,
    }),
  }
}
