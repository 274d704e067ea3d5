import type { ClockStyle } from '@backhaul/ffmpeg/encode-arguments'
import { captureArguments, firstStampTicks, frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { Picture, Source } from '@backhaul/ffmpeg/sources'
import { soundBlockSamples, soundBlockTicks } from '@backhaul/ffmpeg/ts-restamper'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { createStampList, type Feed } from './feed.ts'
import { createTimeline } from './timeline.ts'

/** One 16-bit sample of both channels: sound is passed on in whole samples. */
const sampleBytes = 4
const samplesPerSecond = 48_000
/** ffmpeg's message for a source without sound: silence is sent with it. */
const noSoundMessage = 'does not contain any stream'

/** Holds a source open and passes its raw frames to every subscribed encoder, so that one encoder can replace another. */
export interface Capture {
  addFeed(feed: Feed): void
  removeFeed(feed: Feed): void
  /** When the block of 1024 samples with this number was made; the first one has the number 0. */
  soundStamp(block: number): number | undefined
  stop(): Promise<void>
}

export interface CaptureOptions {
  ffmpegPath: string
  source: Source
  picture: Picture
  clockStyle: ClockStyle | undefined
  onMessage: (line: string) => void
}

export function startCapture(options: CaptureOptions): Capture {
  const { source, picture } = options
  const feeds = new Set<Feed>()
  const startedMs = performance.now()
  // Monotonic time: the wall clock may be set while on air.
  const nowTicks = () => firstStampTicks + (performance.now() - startedMs) * 90
  const frameTicks = 90_000 / picture.framesPerSecond
  const frameTimes = createTimeline({ unitTicks: frameTicks, mostForwardTicks: frameTicks * 0.4, nowTicks })
  const soundTimes = createTimeline({ unitTicks: soundBlockTicks, mostForwardTicks: 90, nowTicks })
  const soundStamps = createStampList()
  const silence = Buffer.alloc(Math.round(samplesPerSecond / picture.framesPerSecond) * sampleBytes)
  let hasSound = true
  let lacksSound = false
  let samples = 0
  let soundRest: Buffer = Buffer.alloc(0)
  let stopped = false

  const frames = createChunker(frameBytes(picture), (frame) => {
    if (frameTimes.isEarly()) return
    const stamp = frameTimes.next()
    for (const feed of feeds) feed.frame(frame, stamp)
    if (!hasSound) passSound(silence)
  })

  function passSound(chunk: Buffer): void {
    const bytes = soundRest.length > 0 ? Buffer.concat([soundRest, chunk]) : chunk
    const whole = bytes.length - (bytes.length % sampleBytes)
    soundRest = bytes.subarray(whole)
    if (whole === 0 || soundTimes.isEarly()) return
    const firstSample = samples
    samples += whole / sampleBytes
    while (soundStamps.count() * soundBlockSamples < samples) soundStamps.add(soundTimes.next())
    for (const feed of feeds) feed.sound(bytes.subarray(0, whole), firstSample)
  }

  const run = (): SupervisedChild =>
    runFfmpeg({
      path: options.ffmpegPath,
      args: captureArguments(source, picture, options.clockStyle, hasSound),
      restart: true,
      sidePipe: { onData: passSound },
      onStdout: frames.push,
      onMessage(line) {
        if (line.includes(noSoundMessage)) lacksSound = true
        options.onMessage(line)
      },
      onExit: ended,
    })

  function ended(): void {
    // A frame that was cut off by the end of the program must not shift all later ones.
    frames.reset()
    soundRest = Buffer.alloc(0)
    frameTimes.restart()
    soundTimes.restart()
    if (stopped || !hasSound || !lacksSound) return
    hasSound = false
    void child.stop()
    child = run()
  }

  let child = run()
  return {
    addFeed: (feed) => void feeds.add(feed),
    removeFeed: (feed) => void feeds.delete(feed),
    soundStamp: soundStamps.at,
    stop() {
      stopped = true
      return child.stop()
    },
  }
}

/** Collects bytes into chunks of one size, each in memory of its own since encoders read at their own pace. */
export function createChunker(size: number, onChunk: (chunk: Buffer) => void) {
  let chunk = Buffer.allocUnsafe(size)
  let filled = 0
  return {
    push(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.copy(chunk, filled, at, at + size - filled)
        at += taken
        filled += taken
        if (filled < size) continue
        onChunk(chunk)
        chunk = Buffer.allocUnsafe(size)
        filled = 0
      }
    },
    reset(): void {
      filled = 0
    },
  }
}
