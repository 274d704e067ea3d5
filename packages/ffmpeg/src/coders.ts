// Coders of a picture: the processor, or hardware that ffmpeg can reach. Hardware is used once a trial has succeeded.
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { encodeCapturedArguments, firstStampTicks, frameBytes, isKeyFrame } from './encode-arguments.ts'
import { runFfmpeg } from './run.ts'
import type { Picture } from './sources.ts'
import {
  createContinuityCheck,
  createPacketAligner,
  packetBytes,
  pidOf,
  ptsOf,
  startsUnit,
} from './ts-packets.ts'
import { createStreamFinder, startsKeyFrame } from './ts-streams.ts'
import { type Coder, coderName, type VideoCodec } from './video-coders.ts'

/** The order in which they are tried. */
export const hardwareCoders = ['nvenc', 'vaapi', 'v4l2m2m'] as const satisfies readonly Coder[]
export type HardwareCoder = (typeof hardwareCoders)[number]

const trialLimitMs = 10_000
const trialKbps = 1500
/** A second, and the beginning of the next group. */
const trialFrames = ({ framesPerSecond }: Picture): number => framesPerSecond + 20

export interface CoderChoice {
  readonly coder: Coder
  /** Why each hardware coder that ffmpeg has was not taken. */
  readonly rejected: readonly { readonly coder: HardwareCoder; readonly reason: string }[]
}

export interface CoderQuestion {
  readonly ffmpegPath: string
  /** Names of the encoders that ffmpeg was built with. */
  readonly encoders: readonly string[]
  readonly codec: VideoCodec
  readonly picture: Picture
  /** The coders that may be taken, in this order. */
  readonly allowed: readonly HardwareCoder[]
}

/** The first allowed hardware coder that codes this picture as it has to be coded, or else software. */
export async function chooseCoder(question: CoderQuestion): Promise<CoderChoice> {
  const rejected: { coder: HardwareCoder; reason: string }[] = []
  for (const coder of question.allowed) {
    if (!question.encoders.includes(coderName(question.codec, coder))) continue
    const reason = await faultOf(question, coder)
    if (reason === undefined) return { coder, rejected }
    rejected.push({ coder, reason })
  }
  return { coder: 'software', rejected }
}

/** The fault of a short stream that the coder makes; undefined where there is none. */
async function faultOf(
  { ffmpegPath, codec, picture }: CoderQuestion,
  coder: HardwareCoder,
): Promise<string | undefined> {
  const messages: string[] = []
  const seen = watchFrames()
  const encoding = {
    codec,
    coder,
    picture,
    videoKbps: trialKbps,
    audioKbps: 96,
    label: '',
    provider: '',
  } as const
  const child = runFfmpeg({
    path: ffmpegPath,
    args: encodeCapturedArguments(picture, { ...encoding, effort: 'ultrafast' }),
    sidePipe: {},
    backlogLimitBytes: frameBytes(picture) * trialFrames(picture) * 2,
    onStdout: seen.push,
    onMessage: (line) => messages.push(line),
  })
  const limit = setTimeout(() => void child.stop(), trialLimitMs)
  feed(child, picture)
  const { code, error } = await child.exited
  clearTimeout(limit)
  if (error !== undefined) return error
  if (code !== 0) return messages.at(-1) ?? `it ended with code ${code}`
  const { frames, keyFrames, errors } = seen.result(picture)
  if (errors > 0) return 'its stream is damaged'
  if (frames !== trialFrames(picture)) return `it coded ${frames} of ${trialFrames(picture)} frames`
  const misplaced = keyFrames.find((frame) => !isKeyFrame(frame, picture))
  if (misplaced !== undefined) return `frame ${misplaced} is a key frame`
  const expected = Array.from({ length: frames }, (_, frame) => frame).filter((frame) =>
    isKeyFrame(frame, picture),
  )
  const missing = expected.find((frame) => !keyFrames.includes(frame))
  return missing === undefined ? undefined : `frame ${missing} is no key frame`
}

/** Grey frames that get brighter, and silence, as fast as they are taken. */
function feed(child: SupervisedChild, picture: Picture): void {
  const frames = trialFrames(picture)
  for (let frame = 0; frame < frames; frame++) child.write(Buffer.alloc(frameBytes(picture), 40 + frame * 2))
  child.writeSide(Buffer.alloc(Math.ceil((frames / picture.framesPerSecond) * 48_000) * 4))
  child.endInput()
}

/** Frames and key frames by their number, and losses. */
function watchFrames() {
  const finder = createStreamFinder()
  const check = createContinuityCheck()
  const stamps: { pts: number; isKey: boolean }[] = []
  const aligner = createPacketAligner((packets) => {
    check.push(packets)
    for (let at = 0; at < packets.length; at += packetBytes) {
      finder.push(packets, at)
      const video = finder.video()
      if (!video || pidOf(packets, at) !== video.pid || !startsUnit(packets, at)) continue
      const pts = ptsOf(packets, at)
      if (pts !== undefined) stamps.push({ pts, isKey: startsKeyFrame(packets, at, video) })
    }
  })
  return {
    push: aligner.push,
    result({ framesPerSecond }: Picture) {
      const frameOf = (pts: number) => Math.round(((pts - firstStampTicks) * framesPerSecond) / 90_000)
      const keyFrames = stamps.filter(({ isKey }) => isKey).map(({ pts }) => frameOf(pts))
      return { frames: stamps.length, keyFrames, errors: check.errors() }
    },
  }
}
