import { firstStampTicks, soundAheadTicks } from './encode-arguments.ts'
import { packetBytes, pidOf, ptsOf, shiftPcr, shiftStamps, startsUnit } from './ts-packets.ts'
import { createStreamFinder } from './ts-streams.ts'

/** Samples of one AAC frame at 48 kHz, and how long they last. */
export const soundBlockSamples = 1024
export const soundBlockTicks = (soundBlockSamples * 90_000) / 48_000

export interface RestamperOptions {
  frameTicks: number
  /** The true stamp of the frame that the encoder was given as its n-th, counted from 0. */
  frameStamp: (frame: number) => number | undefined
  /** The true stamp of the encoder's n-th block of samples; the first that it makes has the number -1. */
  soundStamp: (block: number) => number | undefined
}

/**
 * An encoder of encodeCapturedArguments stamps by counting what it was given. This writes the true stamps in place of
 * its own, so that encoders of the same frames agree to the tick. Takes whole packets and changes them.
 */
export function createRestamper({ frameTicks, frameStamp, soundStamp }: RestamperOptions) {
  const finder = createStreamFinder()
  let videoShift = 0
  let soundShift = 0

  const shiftOf = (
    pts: number,
    first: number,
    ticks: number,
    stampOf: (number: number) => number | undefined,
  ) => {
    const number = Math.round((pts - first) / ticks)
    const stamp = stampOf(number)
    if (stamp !== undefined) return stamp - pts
    const next = stampOf(number + 1)
    return next === undefined ? undefined : next - ticks - pts
  }

  return {
    push(packets: Buffer): void {
      for (let at = 0; at + packetBytes <= packets.length; at += packetBytes) {
        finder.push(packets, at)
        const pts = startsUnit(packets, at) ? ptsOf(packets, at) : undefined
        const pid = pidOf(packets, at)
        if (pts !== undefined && pid === finder.video()?.pid) {
          videoShift = shiftOf(pts, firstStampTicks, frameTicks, frameStamp) ?? videoShift
          shiftStamps(packets, at, videoShift)
        } else if (pts !== undefined && finder.isAudio(pid)) {
          soundShift =
            shiftOf(pts, firstStampTicks + soundAheadTicks, soundBlockTicks, soundStamp) ?? soundShift
          shiftStamps(packets, at, soundShift)
        }
        shiftPcr(packets, at, videoShift)
      }
    },
  }
}
