// One video return channel: its port, the picture of its input, and the one unit that fetches it.
import { join } from 'node:path'
import type {
  ChannelPorts,
  ChannelTelemetry,
  ServerFailure,
  WantedChannel,
} from '@backhaul/contract/gateway/servers'
import { feedOf, returnStatus, type VrInput, type VrSettings } from '@backhaul/contract/nouns/video-return'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { noCounts } from '../bus/program-counts.ts'
import { createChannelPrograms } from '../channels/channel-programs.ts'
import { endingFault, failureOf } from '../failures.ts'
import type { UsableFfmpeg } from '../messages.ts'
import { optionsFolder } from '../outputs/output-secrets.ts'
import { createStillCache, type PreviewSource } from '../previews/preview-source.ts'
import { createRtpFeed } from '../previews/rtp-feed.ts'
import { type ReturnEncoder, startReturnEncoder } from './return-encoder.ts'
import type { ReturnInputs } from './return-inputs.ts'
import { openReturnPort, type ReturnPlace } from './return-port.ts'
import { createLimitFollower, returnKbps } from './return-rate.ts'

/** A unit that does not call for this long gets no picture made; the next call starts it again. */
const SILENT_AFTER_MS = 10_000
/** A stream that paused for this long is not going out. */
const GONE_AFTER_MS = 3000
const SHORTEST_SAMPLE_MS = 500

export interface ReturnChannel extends PreviewSource {
  channelId(): string
  apply(wanted: WantedChannel, place: ReturnPlace, latencyMs: number): void
  /** Follows the inputs and the calls of the unit; to be called several times a second. True when the status changed. */
  tick(): boolean
  ports(): ChannelPorts
  /** Figures since the last call. */
  telemetry(): ChannelTelemetry
  stop(): Promise<void>
}

export interface ReturnChannelOptions {
  wanted: WantedChannel
  place: ReturnPlace
  latencyMs: number
  host: string
  inputs: ReturnInputs
  ffmpeg: UsableFfmpeg
  /** The folder of the recordings of returned pictures. */
  folder: string
  onChange: () => void
  log: Log
}

interface Encoding {
  /** Its inputs and its output as a key; another plan needs another encoder. */
  readonly plan: string
  readonly program: ReturnEncoder
}

/**
 * 1. idle: none of its inputs has a signal, so nothing can be fetched;
 * 2. videoReturnInputConnected: there is a picture, and no unit may fetch it;
 * 3. connecting: a unit may fetch it and does not call, or its picture is not there yet;
 * 4. collecting: a link of the unit answers, and the picture is on its way.
 * The picture is encoded from the first call of the unit on, until it has been silent for 10 s, and while a page shows it,
 * with a unit or without one. Another input, another
 * format or other settings start the encoder again; another unit gets nothing of the picture before.
 */
export function createReturnChannel(options: ReturnChannelOptions): ReturnChannel {
  const { inputs, ffmpeg, host, folder, onChange, log } = options
  let { wanted, latencyMs } = options
  const counts = noCounts()
  const bus = createTsBus({ onReaderFailed: (error) => log.error(error, 'a reader of the return failed') })
  const rtp = createRtpFeed({ ffmpegPath: ffmpeg.path, hasOpus: ffmpeg.hasOpus, bus, counts, log })
  const stills = createStillCache()
  const programs = createChannelPrograms({
    ffmpeg,
    bus,
    recordingsFolder: join(folder, 'recordings'),
    optionsFolder: optionsFolder(folder),
    mayStreamToOwnNetwork: false,
    hls: undefined,
    stills,
    counts,
    log,
  })
  const port = openReturnPort({ host, place: options.place, onChange, log })
  let encoder: Encoding | undefined
  const endings = new Set<Promise<void>>()
  let calledMs = Number.NEGATIVE_INFINITY
  let limit = createLimitFollower()
  /** Pages that show the moving picture. */
  let watchers = 0
  let status = returnStatus(false, false, false)
  let shown: VrInput | undefined
  let sampledMs = performance.now()
  let kbps = 0

  bus.subscribe((packets) => port.sender()?.push(packets))
  useSession()

  const session = () => wanted.videoReturn?.session ?? undefined
  const links = () => port.sender()?.stats()?.links ?? []
  const isFlowing = () => bus.hasKeyFrame() && performance.now() - bus.lastDataMs() < GONE_AFTER_MS

  function input(): VrInput | undefined {
    const { settings } = wanted.videoReturn ?? {}
    return settings && feedOf(settings, inputs.states(), session()?.input)
  }

  function useSession(): void {
    const { videoReturn } = wanted
    const { session: next } = videoReturn ?? {}
    calledMs = Number.NEGATIVE_INFINITY
    limit = createLimitFollower()
    port.setSession(
      next && videoReturn
        ? {
            sessionId: next.id,
            key: Buffer.from(next.key, 'base64'),
            bufferMs: latencyMs,
            startKbps: videoReturn.settings.video.bitrateKbps,
          }
        : undefined,
    )
  }

  function ended(ending: Promise<void> | undefined): void {
    if (!ending) return
    endings.add(ending)
    void ending.finally(() => endings.delete(ending))
  }

  function stopEncoder(): void {
    ended(encoder?.program.stop())
    encoder = undefined
    pause()
    bus.reset()
  }

  /** As set, at the rate that the limits of the unit's links allow. */
  function encoding(): Pick<VrSettings, 'video' | 'audio'> | undefined {
    const { settings } = wanted.videoReturn ?? {}
    if (!settings) return undefined
    const limitKbps = port.sender()?.stats()?.limitKbps ?? Number.POSITIVE_INFINITY
    const bitrateKbps = returnKbps(settings, limit.follow(limitKbps, performance.now()))
    return { video: { ...settings.video, bitrateKbps }, audio: settings.audio }
  }

  /** Starts, restarts or stops the encoder so that it makes what is fetched now. */
  function encode(): void {
    const settings = encoding()
    const isCalled = session() !== undefined && performance.now() - calledMs < SILENT_AFTER_MS
    const feed = shown && (isCalled || watchers > 0) ? inputs.feed(shown.id) : undefined
    const plan = feed && settings && JSON.stringify([shown?.id, feed.layout, settings.video, settings.audio])
    if (plan === encoder?.plan) return
    stopEncoder()
    if (plan === undefined || !feed || !settings) return
    const own: Encoding = {
      plan,
      program: startReturnEncoder({
        ffmpegPath: ffmpeg.path,
        feed,
        settings,
        onData(chunk) {
          if (encoder === own) bus.push(chunk)
        },
        counts,
        log,
      }),
    }
    encoder = own
    log.info({ input: shown?.id, ...settings.video }, 'video return is encoded')
  }

  /** Stills for the console, the state of the picture, and a recording where it is set. */
  function follow(isFetched: boolean): void {
    const unitId = session()?.unitId
    if (!isFetched || unitId === undefined) {
      pause()
      return
    }
    const recording = wanted.videoReturn?.settings.store === true
    programs.follow({
      wanted: { ...wanted, recording, outputs: [] },
      unitId,
      audioTracks: bus.audioTracks(),
      over: undefined,
      smpte: undefined,
      isSlate: false,
    })
    rtp.refresh()
  }

  function pause(): void {
    programs.pause()
    stills.clear()
  }

  function failures(): ServerFailure[] {
    const closed = port.failure()
    const ended = encoder?.program.failure()
    return [
      ...(closed ? [failureOf('returnFailed', closed)] : []),
      ...(!closed && ended !== undefined ? [failureOf('returnFailed', endingFault(ended))] : []),
      ...programs.failures(),
    ]
  }

  return {
    bus,
    rtp,
    still: stills.newest,
    onStill: stills.listen,
    watch() {
      watchers += 1
      let isWatching = true
      return () => {
        if (isWatching) watchers -= 1
        isWatching = false
      }
    },
    channelId: () => wanted.channelId,
    apply(next, place, nextLatencyMs) {
      const isOther = next.videoReturn?.session?.id !== session()?.id
      const isDelayed = nextLatencyMs !== latencyMs
      wanted = next
      latencyMs = nextLatencyMs
      port.move(place)
      if (isOther) {
        stopEncoder()
        useSession()
      } else if (isDelayed) port.setBufferMs(latencyMs)
    },
    tick() {
      const before = status
      const isCalled = links().some(({ up }) => up)
      if (isCalled) calledMs = performance.now()
      shown = input()
      encode()
      const isFetched = isCalled && isFlowing()
      follow(isFetched)
      if (watchers > 0) rtp.refresh()
      status = returnStatus(shown !== undefined, session() !== undefined, isFetched)
      return status !== before
    },
    ports() {
      const returnPort = port.sender()?.port
      return {
        slot: wanted.slot,
        ristPort: null,
        inputAddress: null,
        ...(returnPort !== undefined && { returnPort }),
        inputs: inputs.states(),
      }
    },
    telemetry() {
      const elapsedMs = performance.now() - sampledMs
      if (elapsedMs >= SHORTEST_SAMPLE_MS) {
        kbps = Math.round((bus.takeBytes() * 8) / elapsedMs)
        sampledMs += elapsedMs
      }
      const isFetched = status === 'collecting'
      const picture = isFetched ? bus.picture() : undefined
      return {
        channelId: wanted.channelId,
        status,
        transmissionId: session()?.id ?? null,
        kbps: isFetched ? kbps : 0,
        continuityErrors: 0,
        recovered: links().reduce((sum, { nacked }) => sum + nacked, 0),
        uncorrected: 0,
        bufferMs: isFetched ? latencyMs : 0,
        video: picture
          ? { codec: picture.codec, width: picture.width, height: picture.height, fps: picture.fps }
          : null,
        health: (isFetched && programs.health()) || null,
        source: 'bonded',
        recording: programs.isRecording(),
        previewOf: null,
        playing: [],
        outputs: [],
        failures: failures(),
        input: shown?.id ?? null,
      }
    },
    async stop() {
      stopEncoder()
      await Promise.all([...endings, rtp.stop(), programs.stop(), port.close()])
    },
  }
}
