// The unit's encoder: a source in, one unbroken transport stream out, whose rate can change on air.
import { isDeepStrictEqual } from 'node:util'
import { because, type Reason, wordingOf } from '@backhaul/contract/define/refusals'
import type { CameraFaults } from '@backhaul/contract/nouns/units'
import { cutReason } from '@backhaul/device/refused'
import { type Encoding, encodeCapturedArguments, frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import { createFrameTimes } from '@backhaul/ffmpeg/frame-times'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { soundBytesOf } from '@backhaul/ffmpeg/sound-arguments'
import { createPacketAligner } from '@backhaul/ffmpeg/ts-packets'
import { createRestamper } from '@backhaul/ffmpeg/ts-restamper'
import { createSplicer } from '@backhaul/ffmpeg/ts-splicer'
import { type Coder, coderName, type Effort, type VideoCodec } from '@backhaul/ffmpeg/video-coders'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { type Clock, systemClock, type Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { redactSecrets } from '@backhaul/runtime/redact'
import { startCapture } from './capture.ts'
import { createFeed, type Feed } from './feed.ts'
import { createPace, frameLossOf } from './pace.ts'
import { pictureFor } from './rate-follower.ts'
import type { RawSource } from './raw-source.ts'

// Changing the rate, make before break:
// 0. One program holds the source open for as long as the picture is wanted; encoders get its frames and sound.
// 1. running: one encoder runs;
// 2. warming: a second one encodes the same frames at the new rate; its stream is held back;
// 3. switched: at a key frame of the second one the splicer switches over; the first one is stopped (back to 1).
// A second program that is not on air after 10 s is given up. When the program on air ends by itself, another is
// started after 1, 2, 5, then every 10 s. Hardware that ends by itself, or produces no picture, is replaced by software.

const warmUpLimitMs = 10_000
const restartDelaysMs = [1000, 2000, 5000, 10_000]
const stableAfterMs = 30_000
/** An encoder that is further behind loses frames: half a second. */
const backlogFrames = 15
/** The longest delay of the sound, which allows for the start: many channels are more data than a small picture. */
const soundBacklogSeconds = 2

/** The parameters that can be changed while the picture is on air. */
export interface Quality {
  /** The audio rate of each pair of channels. */
  readonly audioKbps: number
  readonly effort: Effort
  /** A smaller picture at low rates. */
  readonly isAdaptive: boolean
  /** Much motion: the picture gets smaller sooner, so that it remains fluent. */
  readonly hasMotion: boolean
  /** Name of the camera in what is sent; '' names none. */
  readonly label: string
  /** The labels of what is sent; '' where there are none. */
  readonly provider: string
  /** Each frame carries the time of day. */
  readonly hasTimes: boolean
}

export interface EncoderOptions {
  ffmpegPath: string
  source: RawSource
  codec: VideoCodec
  /** Software where none is named. */
  coder?: Coder
  quality: Quality
  log: Log
  clock?: Clock
  /** Whole transport stream packets, as soon as they are coded. */
  onPackets: (packets: Buffer) => void
  /** The picture is on air at this rate, for the first time or after a change. */
  onSwitch?: (videoKbps: number) => void
}

interface Program {
  readonly id: number
  readonly videoKbps: number
  readonly quality: Quality
  readonly coder: Coder
  readonly child: SupervisedChild
  readonly feed: Feed
  readonly startedMs: number
}

export interface Encoder {
  changeRate(videoKbps: number): void
  /** At the present rate, or at the one that is on its way. */
  changeQuality(quality: Quality): void
  /** Rate of the program that is on air, undefined before the first picture. */
  videoKbps(): number | undefined
  /** The frames of the source that are not in the picture on air, and why hardware does not encode it any more. */
  faults(): CameraFaults
  /** A change of rate is under way. */
  isChanging(): boolean
  stop(): Promise<void>
}

export function startEncoder(options: EncoderOptions, startKbps: number): Encoder {
  const { log, clock = systemClock } = options
  const { picture, channels } = options.source
  const programs = new Map<number, Program>()
  const capture = startCapture(options.source)
  const pace = createPace(picture.framesPerSecond, clock.monotonicMs)
  let wantedKbps = startKbps
  let wantedQuality = options.quality
  let { coder = 'software' } = options
  let hardwareFault: CameraFaults['hardwareFault']
  let onAir: Program | undefined
  let warming: Program | undefined
  let warmUpTimer: Timer | undefined
  let restartTimer: Timer | undefined
  let programCount = 0
  let failures = 0
  let stopped = false

  const splicer = createSplicer(options.onPackets, (id) => {
    const before = onAir
    onAir = programs.get(id)
    warming = undefined
    clock.clearTimeout(warmUpTimer)
    log.info(
      { videoKbps: onAir?.videoKbps, warmUpMs: clock.monotonicMs() - (onAir?.startedMs ?? 0) },
      'on air',
    )
    if (before) end(before)
    else pace.begin()
    if (onAir) options.onSwitch?.(onAir.videoKbps)
    if (onAir && onAir.quality !== wantedQuality) launch(wantedKbps)
  })

  function launch(videoKbps: number): void {
    const id = programCount++
    const quality = wantedQuality
    // The trial of hardware was one of 8 bits.
    const used = picture.bits === 10 ? 'software' : coder
    let message = ''
    const encoding: Encoding = {
      codec: options.codec,
      coder: used,
      picture: quality.isAdaptive
        ? pictureFor(videoKbps, options.codec, picture, quality.hasMotion)
        : picture,
      videoKbps,
      audioKbps: quality.audioKbps,
      audioChannels: channels,
      effort: quality.effort,
      label: quality.label,
      provider: quality.provider,
    }
    const feed = createFeed(options.source, {
      isSuccessor: onAir !== undefined,
      encoder: () => child,
      onFrame(isTaken) {
        if (onAir?.id === id) pace.frame(isTaken)
      },
    })
    const restamper = createRestamper({
      frameTicks: 90_000 / picture.framesPerSecond,
      frameStamp: feed.frameStamp,
      soundStamp: (block) => capture.soundStamp(feed.soundBlock(block)),
    })
    const times = quality.hasTimes
      ? createFrameTimes({ codec: options.codec, timeOf: capture.timeOf })
      : undefined
    const aligner = createPacketAligner((packets) => {
      feed.begun()
      restamper.push(packets)
      splicer.push(id, times ? times.push(packets) : packets)
    })
    const child = runFfmpeg({
      path: options.ffmpegPath,
      args: encodeCapturedArguments(picture, encoding),
      sidePipe: {},
      backlogLimitBytes: Math.max(
        frameBytes(picture) * backlogFrames,
        soundBytesOf(channels) * soundBacklogSeconds,
      ),
      onStdout: aligner.push,
      onMessage(line) {
        message = redactSecrets(line)
        log.debug({ ffmpeg: message }, 'ffmpeg message')
      },
      onExit: ({ code, signal, error }) => ended(id, error ?? signal ?? (message || `code ${code}`)),
    })
    warming = { id, videoKbps, quality, coder: used, child, feed, startedMs: clock.monotonicMs() }
    programs.set(id, warming)
    splicer.prepare(id, feed.isKeyStamp)
    capture.addFeed(feed)
    warmUpTimer = clock.setTimeout(giveUpWarming, warmUpLimitMs)
  }

  function end(program: Program): void {
    programs.delete(program.id)
    capture.removeFeed(program.feed)
    void stopChild(program)
  }

  /** A program that waits for input does not react to its signal. */
  async function stopChild({ child }: Program): Promise<void> {
    child.endInput()
    await child.stop()
  }

  function giveUpWarming(): void {
    if (!warming) return
    log.warn({ videoKbps: warming.videoKbps }, 'the new encoder produced no picture in time')
    const program = warming
    warming = undefined
    end(program)
    splicer.end(program.id)
    leaveHardware(program, because('unit.hardwareSilent', { coder: coderName(options.codec, program.coder) }))
    if (!onAir) launchLater()
  }

  /** Encodes in software from the next program on. */
  function leaveHardware({ coder: left }: Program, why: Reason): void {
    if (left === 'software') return
    hardwareFault = cutReason(wordingOf(why))
    log.warn({ coder: left, reason: hardwareFault.reason }, 'the hardware does not encode: using software')
    coder = 'software'
  }

  /** A program ended without being stopped. */
  function ended(id: number, reason: string): void {
    const program = programs.get(id)
    if (!program || stopped) return
    log.warn({ reason, videoKbps: program.videoKbps }, 'an encoder ended by itself')
    programs.delete(id)
    capture.removeFeed(program.feed)
    if (clock.monotonicMs() - program.startedMs >= stableAfterMs) failures = 0
    if (program === warming) {
      warming = undefined
      clock.clearTimeout(warmUpTimer)
    }
    if (program === onAir) onAir = undefined
    splicer.end(id)
    leaveHardware(
      program,
      because('unit.hardwareEnded', { coder: coderName(options.codec, program.coder), error: reason }),
    )
    if (onAir || warming) return
    if (program.coder === 'software') launchLater()
    else launch(wantedKbps)
  }

  function launchLater(): void {
    if (stopped) return
    const delayMs = restartDelaysMs[Math.min(failures++, restartDelaysMs.length - 1)]!
    restartTimer = clock.setTimeout(() => launch(wantedKbps), delayMs)
  }

  launch(startKbps)
  return {
    changeRate(videoKbps) {
      wantedKbps = videoKbps
      if (stopped || warming || !onAir || onAir.videoKbps === videoKbps) return
      launch(videoKbps)
    },
    changeQuality(quality) {
      if (isDeepStrictEqual(quality, wantedQuality)) return
      wantedQuality = quality
      if (!stopped && !warming && onAir) launch(wantedKbps)
    },
    videoKbps: () => onAir?.videoKbps,
    faults() {
      const loss = onAir && pace.loss()
      return {
        ...(loss && {
          frameLoss: frameLossOf(loss, picture, coderName(options.codec, onAir?.coder ?? coder)),
        }),
        ...(hardwareFault && { hardwareFault }),
      }
    },
    isChanging: () => warming !== undefined,
    async stop() {
      stopped = true
      clock.clearTimeout(warmUpTimer)
      clock.clearTimeout(restartTimer)
      const stops = [...programs.values()].map(stopChild)
      programs.clear()
      await Promise.all([...stops, capture.stop()])
    },
  }
}
