import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  captureArguments,
  encodeCapturedArguments,
  firstStampTicks,
  frameBytes,
  isKeyFrame,
} from './encode-arguments.ts'
import { findFfmpeg, findFont } from './find.ts'
import type { Progress } from './progress.ts'
import { runFfmpeg } from './run.ts'
import { soundBytesOf } from './sound-arguments.ts'
import { largestPicture } from './sources.ts'
import { ageByStrip, readTimeCodeStrip } from './time-code-strip.ts'
import { createContinuityCheck, createPacketAligner, pidOf, ptsOf, startsUnit } from './ts-packets.ts'
import { createRestamper, soundBlockTicks } from './ts-restamper.ts'
import { createStreamFinder, startsKeyFrame } from './ts-streams.ts'

const path = findFfmpeg()
const picture = { width: 640, height: 360, framesPerSecond: 30 }
const testPattern = { kind: 'testPattern' } as const
const font = findFont()
const clock = font === undefined ? {} : { fontPath: font }

function watchStream() {
  const bytes: Buffer[] = []
  const finder = createStreamFinder()
  const check = createContinuityCheck()
  const keyStamps: number[] = []
  let pictures = 0
  const aligner = createPacketAligner((packets) => {
    bytes.push(Buffer.from(packets))
    check.push(packets)
    for (let at = 0; at < packets.length; at += 188) {
      finder.push(packets, at)
      const video = finder.video()
      if (pidOf(packets, at) === video?.pid && startsUnit(packets, at)) pictures++
      if (video && startsKeyFrame(packets, at, video)) keyStamps.push(ptsOf(packets, at)!)
    }
  })
  return { aligner, bytes, finder, check, keyStamps, pictures: () => pictures }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const encoding = {
  codec: 'h264',
  picture,
  videoKbps: 1500,
  audioKbps: 96,
  effort: 'ultrafast',
  label: '',
  provider: '',
} as const

test.runIf(path)(
  'captured frames and sound become a clean stream that shows the time it was made',
  async () => {
    const stream = watchStream()
    const messages: string[] = []
    const progress: Progress[] = []
    const frameTimes: number[] = []
    let bytes = 0
    const encoder = runFfmpeg({
      path: path!,
      args: encodeCapturedArguments(picture, encoding),
      sidePipe: {},
      backlogLimitBytes: 1 << 30,
      onStdout: stream.aligner.push,
      onMessage: (line) => messages.push(line),
      onProgress: (news) => progress.push(news),
    })
    const capture = runFfmpeg({
      path: path!,
      args: captureArguments(testPattern, picture, clock),
      sidePipe: { onData: (chunk) => encoder.writeSide(chunk) },
      onStdout(chunk) {
        bytes += chunk.length
        while (frameTimes.length < Math.floor(bytes / frameBytes(picture))) frameTimes.push(Date.now())
        encoder.write(chunk)
      },
      onMessage: (line) => messages.push(line),
    })
    await until(() => stream.keyStamps.length >= 3 && stream.finder.audio() !== undefined)
    await capture.stop()
    encoder.endInput()
    await encoder.exited

    // ffmpeg before 6 logs its guess of a layout of two channels. It also logs once when the queue of a pipe is full and
    // reading pauses: nothing is lost, as the count of frames below shows.
    const usual = /^Guessed Channel Layout|Thread message queue blocking/
    expect(messages.filter((line) => !usual.test(line))).toEqual([])
    expect(progress.at(-1)).toMatchObject({ ended: true, frames: frameTimes.length, droppedFrames: 0 })
    expect(stream.check.errors()).toBe(0)
    expect(stream.finder.video()?.codec).toBe('h264')
    expect(stream.finder.audio()?.codec).toBe('aac')
    const keyFrames = stream.keyStamps.map((stamp) => Math.round((stamp - firstStampTicks) / 3000))
    expect(keyFrames.slice(0, 3)).toEqual([0, 15, 45])
    expect(keyFrames.every((frame) => isKeyFrame(frame, picture))).toBe(true)

    const decode = ['-v', 'error', '-f', 'mpegts', '-i', 'pipe:0', '-frames:v', '1']
    const gray = spawnSync(path!, [...decode, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'], {
      input: Buffer.concat(stream.bytes),
      maxBuffer: 1 << 24,
    }).stdout
    expect(gray.length).toBe(picture.width * picture.height)
    const strip = readTimeCodeStrip((x, y) => gray[y * picture.width + x]!, picture.width)
    expect(strip).toBeDefined()
    const ageMs = ageByStrip(strip!, frameTimes[0]!)
    expect(ageMs).toBeGreaterThanOrEqual(0)
    expect(ageMs).toBeLessThan(5000)
  },
)

test.runIf(path)(
  'a picture leaves the encoder before the next one is given, and its sound, which comes later, carries the same time',
  async () => {
    const stream = watchStream()
    const frameTicks = 90_000 / picture.framesPerSecond
    const begunTicks = 2_000_000
    const restamper = createRestamper({
      frameTicks,
      frameStamp: (frame) => begunTicks + frame * frameTicks,
      soundStamp: (block) => begunTicks + block * soundBlockTicks,
    })
    const aligner = createPacketAligner((packets) => {
      restamper.push(packets)
      stream.aligner.push(packets)
    })
    const encoder = runFfmpeg({
      path: path!,
      args: encodeCapturedArguments(picture, encoding),
      sidePipe: {},
      onStdout: aligner.push,
    })
    let given = 0
    const give = () => {
      encoder.write(Buffer.alloc(frameBytes(picture), given++ * 5))
      encoder.writeSide(Buffer.alloc(soundBytesOf(2) / picture.framesPerSecond))
    }
    while (given < 10) give()
    // Before there is any sound, the last one waits for it.
    await until(() => stream.pictures() >= given - 1)
    give()
    while (given < 40) {
      give()
      await until(() => stream.pictures() === given)
    }
    encoder.endInput()
    await encoder.exited

    const { video, audio } = stream.finder
    const stampsOf = (pid: number | undefined) => {
      const bytes = Buffer.concat(stream.bytes)
      const starts = Array.from({ length: bytes.length / 188 }, (_, index) => index * 188)
      return starts.flatMap((at) => (pidOf(bytes, at) === pid ? (ptsOf(bytes, at) ?? []) : []))
    }
    expect(stampsOf(video()?.pid)).toEqual(
      Array.from({ length: 40 }, (_, frame) => begunTicks + frame * frameTicks),
    )
    const sound = stampsOf(audio()?.pid)
    expect(sound).toEqual(sound.map((_, index) => begunTicks + (index - 1) * soundBlockTicks))
    expect(sound.length).toBeGreaterThan(60)
    expect(stream.check.errors()).toBe(0)
  },
)

test.runIf(path)('the largest picture, 2160p60, is coded whole and at its rate', async () => {
  const { width, height, framesPerSecond } = largestPicture
  const stream = watchStream()
  const encoder = runFfmpeg({
    path: path!,
    args: encodeCapturedArguments(largestPicture, {
      ...encoding,
      picture: largestPicture,
      videoKbps: 20_000,
    }),
    sidePipe: {},
    backlogLimitBytes: 1 << 30,
    onStdout: stream.aligner.push,
  })
  const shades = [60, 100, 140, 180]
  for (const shade of shades) encoder.write(Buffer.alloc(frameBytes(largestPicture), shade))
  encoder.writeSide(Buffer.alloc((soundBytesOf(2) * shades.length) / framesPerSecond))
  encoder.endInput()
  expect(await encoder.exited).toMatchObject({ code: 0 })

  const input = Buffer.concat(stream.bytes)
  const pid = stream.finder.video()?.pid
  const starts = Array.from({ length: input.length / 188 }, (_, index) => index * 188)
  const stamps = starts.flatMap((at) => (pidOf(input, at) === pid ? (ptsOf(input, at) ?? []) : []))
  expect(stamps.map((stamp) => stamp - stamps[0]!)).toEqual([0, 1500, 3000, 4500])
  // The mean of each line, so that a part that is missing shows.
  const lines = ['-vf', `extractplanes=y,scale=1:${height}:flags=area`, '-f', 'rawvideo', 'pipe:1']
  const { stdout, stderr } = spawnSync(path!, ['-f', 'mpegts', '-i', 'pipe:0', ...lines], { input })
  expect(stderr.toString()).toMatch(
    new RegExp(`Video: h264.* ${width}x${height}\\b.* ${framesPerSecond} fps`),
  )
  expect(stdout.length).toBe(height * shades.length)
  for (const [frame, shade] of shades.entries())
    for (const line of stdout.subarray(frame * height, (frame + 1) * height))
      expect(Math.abs(line - (shade - 16) * (255 / 219))).toBeLessThan(4)
})

test('a damaged strip is not read', () => {
  expect(readTimeCodeStrip(() => 0, 1280)).toBeUndefined()
  expect(readTimeCodeStrip((x) => (x < 48 ? 255 : x < 96 ? 255 : 0), 1280)).toBeUndefined()
  expect(readTimeCodeStrip((x) => (x < 96 || x >= 1200 ? 255 : 0), 1280)).toBe(1)
  expect(ageByStrip(2 ** 24 - 5, 2 ** 24 * 3 + 10)).toBe(15)
})
