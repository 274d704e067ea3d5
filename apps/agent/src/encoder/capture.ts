import { firstStampTicks } from '@backhaul/ffmpeg/encode-arguments'
import { sampleBytesOf } from '@backhaul/ffmpeg/sound-arguments'
import { stampDistance, ticksToMs } from '@backhaul/ffmpeg/ts-packets'
import { soundBlockSamples, soundBlockTicks } from '@backhaul/ffmpeg/ts-restamper'
import { createStampList, type Feed } from './feed.ts'
import type { RawSource } from './raw-source.ts'
import { createTimeline } from './timeline.ts'

/** Holds a source open and passes its raw frames to every subscribed encoder, so that one encoder can replace another. */
export interface Capture {
  addFeed(feed: Feed): void
  removeFeed(feed: Feed): void
  /** When the block of 1024 samples with this number was made; the first one has the number 0. */
  soundStamp(block: number): number | undefined
  /** When the frame with this stamp was made, in milliseconds since 1970 by the clock of the machine. */
  timeOf(stamp: number): number
  stop(): Promise<void>
}

export function startCapture(source: RawSource): Capture {
  const feeds = new Set<Feed>()
  const startedMs = performance.now()
  // Monotonic time: the wall clock may be set while on air.
  const nowTicks = () => firstStampTicks + (performance.now() - startedMs) * 90
  const frameTicks = 90_000 / source.picture.framesPerSecond
  const frameTimes = createTimeline({ unitTicks: frameTicks, mostForwardTicks: frameTicks * 0.4, nowTicks })
  const soundTimes = createTimeline({ unitTicks: soundBlockTicks, mostForwardTicks: 90, nowTicks })
  const soundStamps = createStampList()
  const sampleBytes = sampleBytesOf(source.channels)
  let samples = 0
  let soundRest: Buffer = Buffer.alloc(0)

  const stop = source.listen({
    frame(frame) {
      if (frameTimes.isEarly()) return
      const stamp = frameTimes.next()
      for (const feed of feeds) feed.frame(frame, stamp)
    },
    sound(chunk) {
      const bytes = soundRest.length > 0 ? Buffer.concat([soundRest, chunk]) : chunk
      const whole = bytes.length - (bytes.length % sampleBytes)
      soundRest = bytes.subarray(whole)
      if (whole === 0 || soundTimes.isEarly()) return
      const firstSample = samples
      samples += whole / sampleBytes
      while (soundStamps.count() * soundBlockSamples < samples) soundStamps.add(soundTimes.next())
      for (const feed of feeds) feed.sound(bytes.subarray(0, whole), firstSample)
    },
    restarted() {
      soundRest = Buffer.alloc(0)
      frameTimes.restart()
      soundTimes.restart()
    },
  })

  return {
    addFeed: (feed) => void feeds.add(feed),
    removeFeed: (feed) => void feeds.delete(feed),
    soundStamp: soundStamps.at,
    timeOf: (stamp) => Date.now() - ticksToMs(stampDistance(stamp, nowTicks())),
    stop,
  }
}
