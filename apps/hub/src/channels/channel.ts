// One channel of the hub: its intake, its bus, and everything that lives on the bus while a picture comes in.
import { join } from 'node:path'
import type { Levels } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, WantedChannel } from '@backhaul/contract/gateway/servers'
import type { ChannelStatus } from '@backhaul/contract/nouns/channels'
import { NO_UNIT } from '@backhaul/contract/nouns/files'
import type { SmpteServer } from '@backhaul/contract/nouns/smpte'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { noCounts } from '../bus/program-counts.ts'
import { createFilePlayer } from '../files/file-player.ts'
import type { HlsStreams } from '../hls/hls-streams.ts'
import { createBondedIntake } from '../intake/bonded.ts'
import { createFetchedInput } from '../intake/fetched-input.ts'
import type { Input } from '../intake/input.ts'
import type { OpenReceiver } from '../intake/receivers.ts'
import { startRistInput } from '../intake/rist-input.ts'
import { startRtmpInput } from '../intake/rtmp/rtmp-input.ts'
import { startSrtInput } from '../intake/srt-input.ts'
import { startWhipInput, type WhipInput } from '../intake/whip/whip-input.ts'
import type { ChannelCounts, HubSlot, UsableFfmpeg } from '../messages.ts'
import { optionsFolder } from '../outputs/output-secrets.ts'
import { type Overlaid, overlaidOn } from '../outputs/overlay.ts'
import { overlayPath } from '../outputs/overlay-store.ts'
import { createStillCache, type PreviewSource } from '../previews/preview-source.ts'
import { createRtpFeed } from '../previews/rtp-feed.ts'
import type { SmpteOutput } from '../smpte/smpte-streams.ts'
import { type ChannelPrograms, createChannelPrograms } from './channel-programs.ts'
import { createCopies } from './copies.ts'
import { createSlate } from './slate.ts'

/** Shorter intervals give no useful rate. */
const SHORTEST_SAMPLE_MS = 500
/** A stream that paused for this long counts as ended for viewers. */
const GONE_AFTER_MS = 3000

export interface Channel extends PreviewSource {
  readonly slot: HubSlot
  /** The input of a channel that receives by WebRTC. */
  readonly whip: WhipInput | undefined
  /** The channel of core in this slot, undefined until core has named one. */
  channelId(): string | undefined
  /** Undefined when core does not use the slot; `smpte` are the networks of the studio that the server is in. */
  apply(wanted: WantedChannel | undefined, smpte: SmpteServer | undefined): void
  /** Appends a file to the files that are played out; only on a channel that admits no sender. */
  play(fileId: string, path: string): void
  stopPlaying(fileId: string): void
  /** Checks whether the picture came, changed or went; to be called several times a second. True when the status changed. */
  tick(): boolean
  /** Figures since the last call. */
  telemetry(): ChannelTelemetry | undefined
  levels(): Levels['channels'][number] | undefined
  /** The counts since the start of the hub; undefined when core does not use the slot. */
  counts(): Omit<ChannelCounts, 'viewers'> | undefined
  programs: ChannelPrograms
  /** The number of tracks of sound that are always present. */
  audioTracks(): number
  stop(): Promise<void>
}

export interface ChannelOptions {
  slot: HubSlot
  unitHost: string
  openReceiver: OpenReceiver
  ffmpeg: UsableFfmpeg | undefined
  /** Recordings, and the graphics that are drawn over pictures. */
  dataFolder: string
  mayStreamToOwnNetwork: boolean
  /** The address at which players fetch HLS; undefined on a hub without a door for them. */
  hls: HlsStreams | undefined
  /** Addresses of this machine that WebRTC offers. */
  localAddresses: readonly string[]
  /** The port was taken by another program; the channel receives on this one instead. */
  onMoved: (port: number) => void
  log: Log
}

/**
 * 1. idle: no transmission is admitted (bonded), or no sender is connected (SRT, RTMP, WebRTC);
 * 2. connecting: a transmission is admitted, no picture has come yet, or it has stopped coming;
 * 3. collecting: a key frame was seen and data came within the last 3 s.
 * 4. PlayStoredFile: no sender is admitted, and files are played out.
 * A new transmission leads to 2, the end of the intake or of the last file to 1. A black picture for the outputs changes no
 * status: it is sent in 1 and 2.
 */
export function createChannel(options: ChannelOptions): Channel {
  const { slot, unitHost, openReceiver, ffmpeg, dataFolder, onMoved, log } = options
  const stills = createStillCache()
  const bus = createTsBus({ onReaderFailed: (error) => log.error(error, 'a reader of the stream failed') })
  const counts = noCounts()
  const rtp =
    ffmpeg && createRtpFeed({ ffmpegPath: ffmpeg.path, hasOpus: ffmpeg.hasOpus, bus, over, counts, log })
  const programs = createChannelPrograms({
    ffmpeg,
    bus,
    recordingsFolder: join(dataFolder, 'recordings'),
    descriptionPath: join(dataFolder, 'sdp', `${slot.slot}.sdp`),
    optionsFolder: optionsFolder(dataFolder),
    mayStreamToOwnNetwork: options.mayStreamToOwnNetwork,
    hls: options.hls,
    stills,
    counts,
    log,
  })
  const copies = createCopies({ bus, log })
  let wanted: WantedChannel | undefined
  let networks: SmpteServer | undefined
  let status: ChannelStatus = 'idle'
  let errorsBefore = 0
  let sampledMs = performance.now()
  let kbps = 0

  const bonded =
    slot.intake === 'bonded'
      ? createBondedIntake({ host: unitHost, port: slot.port, openReceiver, onData: receive, onMoved, log })
      : undefined
  const whip =
    slot.intake === 'webrtc' && ffmpeg
      ? startWhipInput({
          ffmpegPath: ffmpeg.path,
          localAddresses: options.localAddresses,
          onData: receive,
          onGone: end,
          log,
        })
      : undefined
  const input = whip ?? openInput()

  function openInput(): Input | undefined {
    if (slot.intake === 'bonded' || slot.intake === 'webrtc' || !ffmpeg) return undefined
    const { path: ffmpegPath, hasEnhancedFlv } = ffmpeg
    const shared = { ffmpegPath, port: slot.port, onData: receive, onGone: end, onMoved, log }
    switch (slot.intake) {
      case 'srt':
        return startSrtInput(shared)
      case 'rist':
        return startRistInput(shared)
      default:
        return startRtmpInput({ ...shared, hasEnhancedFlv })
    }
  }

  const fetched =
    ffmpeg && slot.intake !== 'bonded'
      ? createFetchedInput({
          ffmpegPath: ffmpeg.path,
          mayStreamToOwnNetwork: options.mayStreamToOwnNetwork,
          onData: receive,
          onGone: end,
          log,
        })
      : undefined
  const player = ffmpeg && createFilePlayer({ ffmpegPath: ffmpeg.path, onData: receive, onEnd: end, log })
  const slate = ffmpeg && createSlate({ ffmpegPath: ffmpeg.path, onData: bus.push, log })
  const playing = () => player?.playing() ?? []
  /** An encoder of another make may announce a track that it never fills; units and files have all of them. */
  function audioTracks(): number {
    const isWhole = wanted?.intake != null || playing().length > 0
    return Math.min(isWhole ? Infinity : 1, bus.audioTracks())
  }

  /** The graphic over the picture that comes in now. */
  function over(): Overlaid | undefined {
    const picture = bus.picture()
    const overlay = wanted?.overlay
    return ffmpeg?.canOverlay && picture && overlay
      ? overlaidOn(picture, overlay, overlayPath(dataFolder, overlay.id))
      : undefined
  }

  function smpte(): SmpteOutput | undefined {
    const streams = wanted?.smpte?.configuration
    return ffmpeg?.canSendSmpte && streams && networks
      ? { streams, networks: networks.configuration }
      : undefined
  }

  /** Passes on received data, which replaces the black picture. */
  function receive(chunk: Buffer): void {
    if (slate?.isRunning()) {
      slate.stop()
      end()
    }
    bus.push(chunk)
  }

  /** Outputs of a channel to which nothing comes in. */
  function followSlate(): void {
    const isWanted = wanted?.forceOutput === true && wanted.outputs.length > 0
    if (!slate || !wanted || !isWanted) {
      if (!slate?.isRunning()) return
      slate.stop()
      end()
      return
    }
    slate.start()
    if (!bus.hasKeyFrame()) return
    const { recording: _, smpte: __, ...rest } = wanted
    programs.follow({
      wanted: { ...rest, recording: false },
      unitId: NO_UNIT,
      audioTracks: 1,
      over: over(),
      smpte: undefined,
      isSlate: true,
    })
  }

  /** The picture has ended: nothing of it may be used for the next one. */
  function end(): void {
    errorsBefore += bus.continuityErrors()
    bus.reset()
    programs.pause()
    stills.clear()
  }

  const hasPicture = () => status === 'collecting' || status === 'PlayStoredFile'

  function follow(): ChannelStatus {
    const isComing =
      slate?.isRunning() !== true && bus.hasKeyFrame() && performance.now() - bus.lastDataMs() < GONE_AFTER_MS
    if (isComing && wanted) {
      if (status !== 'collecting' && bonded === undefined) errorsBefore = 0
      const isFile = playing().length > 0
      programs.follow({
        wanted: isFile ? { ...wanted, recording: false } : wanted,
        unitId: wanted.intake?.unitId ?? NO_UNIT,
        audioTracks: audioTracks(),
        over: over(),
        smpte: smpte(),
        isSlate: false,
      })
      rtp?.refresh()
      return isFile ? 'PlayStoredFile' : 'collecting'
    }
    if (playing().length > 0) return 'PlayStoredFile'
    if (hasPicture() || (bus.hasKeyFrame() && !isComing && !slate?.isRunning())) end()
    followSlate()
    return wanted?.intake ? 'connecting' : 'idle'
  }

  return {
    slot,
    whip,
    bus,
    audioTracks,
    rtp,
    programs,
    still: stills.newest,
    onStill: stills.listen,
    watch: () => () => {},
    channelId: () => wanted?.channelId,
    apply(next, nextNetworks) {
      const isOther =
        next?.channelId !== wanted?.channelId ||
        next?.intake?.transmissionId !== wanted?.intake?.transmissionId
      wanted = next
      networks = nextNetworks
      if (next?.intake || !next) void player?.clear()
      bonded?.apply(next?.intake ?? null)
      const sources = next?.sources ?? []
      // Either encoders send, or the server fetches.
      input?.setKey(sources.length > 0 ? undefined : next?.inputKey)
      fetched?.apply(sources)
      copies.apply(next?.copies ?? [])
      if (isOther && bonded) {
        end()
        errorsBefore = 0
      }
    },
    play(fileId, path) {
      if (bonded && wanted?.intake === null) player?.play(fileId, path)
    },
    stopPlaying: (fileId) => player?.stop(fileId),
    tick() {
      const before = status
      status = follow()
      return status !== before
    },
    telemetry() {
      const elapsedMs = performance.now() - sampledMs
      if (elapsedMs >= SHORTEST_SAMPLE_MS) {
        kbps = Math.round((bus.takeBytes() * 8) / elapsedMs)
        sampledMs += elapsedMs
      }
      if (!wanted) return undefined
      const isCollecting = hasPicture()
      const picture = isCollecting ? bus.picture() : undefined
      const figures = bonded?.figures() ?? { recovered: 0, uncorrected: 0, bufferMs: 0 }
      return {
        channelId: wanted.channelId,
        status,
        transmissionId: wanted.intake?.transmissionId ?? null,
        kbps: isCollecting ? kbps : 0,
        continuityErrors: errorsBefore + bus.continuityErrors(),
        ...figures,
        video: picture
          ? { codec: picture.codec, width: picture.width, height: picture.height, fps: picture.fps }
          : null,
        health: (isCollecting && programs.health()) || null,
        source: playing().length > 0 ? 'file' : slot.intake,
        recording: programs.isRecording(),
        outputs: programs.outputs(),
        failures: programs.failures(),
        previewOf: null,
        inputFailure: fetched?.failure() ?? null,
        inputProblem: fetched?.isUnreachable() ? 'noSource' : (input?.problem() ?? null),
        playing: playing(),
      }
    },
    levels() {
      const levels = hasPicture() ? programs.levels() : []
      return wanted && levels.length > 0 ? { channelId: wanted.channelId, levels: [...levels] } : undefined
    },
    counts() {
      if (!wanted) return undefined
      const { channelId, name } = wanted
      return { slot: slot.slot, channelId, name, ...counts }
    },
    async stop() {
      copies.close()
      await Promise.all([
        bonded?.stop(),
        input?.stop(),
        fetched?.stop(),
        rtp?.stop(),
        programs.stop(),
        player?.clear(),
        slate?.close(),
      ])
    },
  }
}
