// The frames and sound that one encoder of several is given, with the time of each.
import { isKeyFrame } from '@backhaul/ffmpeg/encode-arguments'
import { sampleBytesOf } from '@backhaul/ffmpeg/sound-arguments'
import { stampDistance } from '@backhaul/ffmpeg/ts-packets'
import { soundBlockSamples } from '@backhaul/ffmpeg/ts-restamper'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { RawSource } from './raw-source.ts'

/** More than any encoder holds: 60 s of frames, 40 s of sound. */
const keptStamps = 1800

/** The timestamps of numbered items, counted from 0; the oldest are dropped. */
export function createStampList() {
  let stamps: number[] = []
  let firstNumber = 0
  return {
    add(stamp: number): void {
      stamps.push(stamp)
      if (stamps.length < keptStamps * 2) return
      firstNumber += keptStamps
      stamps = stamps.slice(keptStamps)
    },
    count: () => firstNumber + stamps.length,
    at: (number: number): number | undefined => stamps[number - firstNumber],
  }
}

/** At most this many frames are queued for a successor that has not started encoding, else it would begin with a backlog. */
const firstFrames = 2

export interface Feed {
  /** The encoder has given its first output. */
  begun(): void
  /** Leaves the frame out when the encoder does not keep up. */
  frame(bytes: Buffer, stamp: number): void
  /** Whole samples, the first of which has this number in all that was captured. */
  sound(bytes: Buffer, firstSample: number): void
  frameStamp(frame: number): number | undefined
  /** Number of the encoder's block of samples in all that was captured. */
  soundBlock(block: number): number
  /**
   * The frame with this stamp will be a key frame, or is one. Not the first frame: it is late by what the encoder takes to
   * start, and there is no sound yet.
   */
  isKeyStamp(stamp: number): boolean
}

export interface FeedOptions {
  isSuccessor: boolean
  encoder: () => SupervisedChild
  /** The source gave a frame, and the encoder took it, or did not. */
  onFrame: (isTaken: boolean) => void
}

/** A successor begins without a backlog; the first encoder begins with the first frame. */
export function createFeed(
  { picture, channels }: RawSource,
  { isSuccessor, encoder, onFrame }: FeedOptions,
): Feed {
  const sampleBytes = sampleBytesOf(channels)
  const frames = createStampList()
  let keyStamps: number[] = []
  let firstBlock: number | undefined
  let hasBegun = !isSuccessor

  return {
    begun() {
      hasBegun = true
    },
    frame(bytes, stamp) {
      if (!hasBegun && frames.count() >= firstFrames) return
      const isTaken = encoder().write(bytes)
      onFrame(isTaken)
      if (!isTaken) return
      const frame = frames.count()
      if (frame > 0 && isKeyFrame(frame, picture)) keyStamps = [...keyStamps.slice(-60), stamp]
      frames.add(stamp)
    },
    sound(bytes, firstSample) {
      if (firstBlock !== undefined) {
        encoder().writeSide(bytes)
        return
      }
      // Blocks of all encoders begin at the same samples.
      const block = Math.ceil(firstSample / soundBlockSamples)
      const from = (block * soundBlockSamples - firstSample) * sampleBytes
      if (from >= bytes.length) return
      firstBlock = block
      encoder().writeSide(bytes.subarray(from))
    },
    frameStamp: frames.at,
    soundBlock: (block) => (firstBlock ?? 0) + block,
    isKeyStamp: (stamp) => keyStamps.some((key) => stampDistance(key, stamp) === 0),
  }
}
