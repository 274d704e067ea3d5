import { defaultPicture, type Picture } from '@backhaul/ffmpeg/sources'

// The video rate follows the sum that the links carry.
// 1. A rate is on air. Nothing changes it for 5 s after a switch; only the first guess may be corrected sooner.
// 2. Down: for 1.2 s the links carried less than 90 % of what the rate needs. The least of them is taken, less 10 %:
//    an estimate that falls is still too high, and what was sent too fast has to drain.
// 3. Deep down: the same with less than 70 %. This waits 2 s only, since until then the picture is broken.
// 4. Over the limit, since it was lowered on air: the limit is applied immediately.
// 5. Up: for 5 s the links could have carried 120 % of it; the least that they could carry is taken.
// 6. A rate that went up and had to come down within 30 s was too much: the next way up waits twice as long, up to 60 s.
//    A rate that held for 60 s after it went up makes it 5 s again.

const holdMs = 5000
const deepHoldMs = 2000
const downWindowMs = 1200
const upWindowMs = 5000
const tooMuchWithinMs = 30_000
const longestUpWaitMs = 60_000
const provenAfterMs = 60_000
const downBelow = 0.9
const deepBelow = 0.7
const drainShare = 0.9
const upAbove = 1.2
const stepKbps = 50
/** Motion needs so much more for the same picture. */
const motionFactor = 1.5
/** Headers of transport stream, RTP and encryption: 12 + 12 + 16 on 1316 bytes and the packets' own 4 on 184. */
const wireShare = 0.93

export interface RateLimits {
  readonly lowestKbps: number
  readonly highestKbps: number
  readonly audioKbps: number
}

/** The video rate that fits into a capacity, in steps of 50 kbit/s. */
export function videoKbpsFor(
  capacityKbps: number,
  { lowestKbps, highestKbps, audioKbps }: RateLimits,
): number {
  const fits = capacityKbps * wireShare - audioKbps * 1.2
  return Math.min(highestKbps, Math.max(lowestKbps, Math.floor(fits / stepKbps) * stepKbps))
}

/** Below this rate a smaller picture has the better quality. */
export function pictureFor(
  videoKbps: number,
  codec: 'h264' | 'h265',
  full: Picture = defaultPicture,
  hasMotion = false,
): Picture {
  const worth = (videoKbps * (codec === 'h265' ? 1.6 : 1)) / (hasMotion ? motionFactor : 1)
  const height = worth < 700 ? 360 : worth < 1400 ? 540 : full.height
  if (height >= full.height) return full
  return { ...full, height, width: Math.round((full.width * height) / full.height / 2) * 2 }
}

export interface RateFollower {
  /** Pass the capacity in a few times a second; returns the rate to switch to when a switch is due. */
  note(capacityKbps: number, nowMs: number): number | undefined
  /** A switch was begun: hold from now. */
  switched(videoKbps: number, nowMs: number): void
  videoKbps(): number
  /** Takes effect from now on. */
  setLimits(limits: RateLimits): void
}

export function createRateFollower(
  startKbps: number,
  firstLimits: RateLimits,
  startedMs: number,
): RateFollower {
  let limits = firstLimits
  let currentKbps = startKbps
  let switchedMs = startedMs - holdMs
  let upWaitMs = upWindowMs
  let raisedMs = Number.NEGATIVE_INFINITY
  let loweredMs = Number.NEGATIVE_INFINITY
  let samples: { atMs: number; kbps: number }[] = []

  const since = (fromMs: number) => samples.filter(({ atMs }) => atMs >= fromMs).map(({ kbps }) => kbps)
  const lowered = (kbps: number) =>
    Math.max(limits.lowestKbps, Math.floor((kbps * drainShare) / stepKbps) * stepKbps)
  const isCovered = (windowMs: number, nowMs: number) => samples[0]!.atMs <= nowMs - windowMs + 300

  function waitForUp(videoKbps: number, nowMs: number): void {
    if (videoKbps > currentKbps) raisedMs = nowMs
    if (videoKbps >= currentKbps) return
    if (nowMs - raisedMs < tooMuchWithinMs) upWaitMs = Math.min(upWaitMs * 2, longestUpWaitMs)
    loweredMs = nowMs
  }

  return {
    note(capacityKbps, nowMs) {
      if (currentKbps > limits.highestKbps) return limits.highestKbps
      samples.push({ atMs: nowMs, kbps: videoKbpsFor(capacityKbps, limits) })
      if (raisedMs > loweredMs && nowMs - raisedMs > provenAfterMs) upWaitMs = upWindowMs
      samples = samples.filter(({ atMs }) => atMs > nowMs - upWaitMs - 500)
      const recent = since(nowMs - downWindowMs)
      const best = Math.max(...recent)
      const isDeep = best < currentKbps * deepBelow
      if (nowMs - switchedMs < (isDeep ? deepHoldMs : holdMs)) return undefined
      if (best < currentKbps * downBelow && isCovered(downWindowMs, nowMs))
        return lowered(Math.min(...recent))
      const steady = Math.min(...since(nowMs - upWaitMs))
      return isCovered(upWaitMs, nowMs) &&
        steady > currentKbps &&
        steady >= Math.min(currentKbps * upAbove, limits.highestKbps)
        ? steady
        : undefined
    },
    switched(videoKbps, nowMs) {
      waitForUp(videoKbps, nowMs)
      currentKbps = videoKbps
      switchedMs = nowMs
    },
    videoKbps: () => currentKbps,
    setLimits(next) {
      limits = next
    },
  }
}
