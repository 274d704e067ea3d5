// Whether the encoder on air keeps pace: the frames of the source that it took over the last seconds, and those it did not.
import { because, wordingOf } from '@backhaul/contract/define/refusals'
import type { FrameLoss } from '@backhaul/contract/nouns/units'
import type { Picture } from '@backhaul/ffmpeg/sources'

const watchedSeconds = 5
/** Losses are reported in these steps, so that not every second brings another figure. */
const stepPercent = 5
/** The reported figure is kept until the measured one differs by more than this: 5 % begins above 3 % and ends below 2 %. */
const keptWithinPercent = 3
/** The loss is reported at the other side only after that has lost more frames for this time. */
const otherSideAfterMs = 10_000

/** `encoder`: it does not take the frames that the source gives. `source`: that gives fewer than the picture has. */
export interface PaceLoss {
  readonly at: 'encoder' | 'source'
  readonly percent: number
}

export interface Pace {
  /** A picture is on air from now on. */
  begin(): void
  /** The source gave a frame, and the encoder on air took it, or did not. */
  frame(isTaken: boolean): void
  /**
   * The loss in the last whole seconds; undefined while nothing is lost, or the picture has been on air for less.
   * Requires a call at least once a second: figure and side depend on those before.
   */
  loss(): PaceLoss | undefined
}

interface Second {
  given: number
  lost: number
}

export function createPace(framesPerSecond: number, monotonicMs: () => number): Pace {
  const seconds = new Map<number, Second>()
  const present = () => Math.floor(monotonicMs() / 1000)
  let begun = Infinity
  let reported: PaceLoss | undefined
  let otherSideSinceMs: number | undefined

  /** The frames of the last whole seconds that were lost, by the encoder and by the source. */
  function measure() {
    const at = present()
    const last = Array.from(
      { length: watchedSeconds },
      (_, back) => seconds.get(at - 1 - back) ?? { given: 0, lost: 0 },
    )
    const sumOf = (read: (second: Second) => number) => last.reduce((sum, one) => sum + read(one), 0)
    // A source that is gone for a moment is no matter of pace.
    const isGiving = last.every(({ given }) => given > 0)
    const expected = framesPerSecond * watchedSeconds
    return {
      lost: sumOf((one) => one.lost),
      missing: isGiving ? Math.max(0, expected - sumOf((one) => one.given)) : 0,
      expected,
    }
  }

  function sideOf(lost: number, missing: number): PaceLoss['at'] {
    const side = lost >= missing ? 'encoder' : 'source'
    if (!reported || reported.at === side) {
      otherSideSinceMs = undefined
      return side
    }
    otherSideSinceMs ??= monotonicMs()
    return monotonicMs() - otherSideSinceMs < otherSideAfterMs ? reported.at : side
  }

  return {
    begin() {
      seconds.clear()
      reported = undefined
      begun = present()
    },
    frame(isTaken) {
      const at = present()
      const second = seconds.get(at) ?? { given: 0, lost: 0 }
      second.given++
      if (!isTaken) second.lost++
      seconds.set(at, second)
      for (const old of seconds.keys()) if (old < at - watchedSeconds) seconds.delete(old)
    },
    loss() {
      if (present() - begun <= watchedSeconds) return undefined
      const { lost, missing, expected } = measure()
      const percent = keptPercent(reported?.percent ?? 0, ((lost + missing) / expected) * 100)
      reported = percent > 0 ? { at: sideOf(lost, missing), percent } : undefined
      return reported
    },
  }
}

function keptPercent(reported: number, measured: number): number {
  if (Math.abs(measured - reported) <= keptWithinPercent) return reported
  return Math.min(100, Math.round(measured / stepPercent) * stepPercent)
}

/** The encoding as it is reported; `coder` is the name of the encoder in ffmpeg. */
export function frameLossOf(
  { at, percent }: PaceLoss,
  { width, height, framesPerSecond }: Pick<Picture, 'width' | 'height' | 'framesPerSecond'>,
  coder: string,
): FrameLoss {
  const picture = `${width}×${height} p${framesPerSecond}`
  const { message: reason, cause } = wordingOf(
    at === 'encoder'
      ? because('unit.encoderBehind', { picture, coder })
      : because('unit.framesMissing', { picture }),
  )
  return { percent, reason, ...(cause && { cause }) }
}
