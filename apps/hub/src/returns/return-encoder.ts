// Encodes the picture of an input as a return channel is set, for one unit.
import type { VrSettings } from '@backhaul/contract/nouns/video-return'
import { promptTransport } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { pairedSound } from '@backhaul/ffmpeg/sound-arguments'
import { soundChannelsOf, sourceInputs } from '@backhaul/ffmpeg/sources'
import type { Log } from '@backhaul/runtime/log'
import { sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import type { ReturnFeed } from './return-inputs.ts'
import { AUDIO_KBPS_PER_CHANNEL } from './return-rate.ts'

/** The return is only viewed by a crew: larger pictures are scaled down. */
const MOST_WIDTH = 1920

export interface ReturnEncoder {
  /** The last message of the program since it ended by itself, until a picture comes again. */
  failure(): string | undefined
  stop(): Promise<void>
}

export interface ReturnEncoderOptions {
  ffmpegPath: string
  feed: ReturnFeed
  settings: Pick<VrSettings, 'video' | 'audio'>
  onData: (chunk: Buffer) => void
  counts: ProgramCounts
  log: Log
}

export function startReturnEncoder(options: ReturnEncoderOptions): ReturnEncoder {
  const { ffmpegPath, feed, settings, counts, log } = options
  let message = ''
  let failure: string | undefined
  const onData = (chunk: Buffer) => {
    failure = undefined
    options.onData(chunk)
  }
  if ('bus' in feed) {
    const sink = startFfmpegSink({
      ffmpegPath,
      bus: feed.bus,
      args: () => [...sinkInput, ...returnArguments(settings, soundOf(feed, settings), performance.now())],
      onStdout: onData,
      onEnded(messages) {
        failure = messages.at(-1) ?? ''
      },
      counts,
      log,
    })
    return { failure: () => failure, stop: sink.stop }
  }
  const { args } = sourceInputs(feed.source, feed.picture, settings.audio.channels)
  const program = runFfmpeg({
    path: ffmpegPath,
    args: [...quiet, ...args, ...returnArguments(settings, soundOf(feed, settings), performance.now())],
    restart: true,
    onStdout: onData,
    onMessage(line) {
      message = line
      log.warn({ line }, 'ffmpeg message')
    },
    onExit: (exit, restartInMs) => {
      if (restartInMs === undefined) return
      failure = message
      counts.restarts += 1
      log.warn({ ...exit, restartInMs }, 'program ended, restarting')
    },
  })
  return { failure: () => failure, stop: () => program.stop() }
}

const quiet = ['-hide_banner', '-nostdin', '-nostats', '-v', 'error']

/**
 * A key frame each second, nothing held back. Stamps continue over a restart: they begin at the time of this machine's
 * steady clock.
 */
function returnArguments(
  { video, audio }: Pick<VrSettings, 'video' | 'audio'>,
  sound: readonly string[],
  steadyMs: number,
): string[] {
  const { codec, bitrateKbps } = video
  const coder =
    codec === 'H.264'
      ? ['-c:v', 'libx264', '-forced-idr', '1', '-g', '600']
      : ['-c:v', 'libx265', '-x265-params', 'keyint=600:repeat-headers=1:log-level=error']
  return [
    '-map',
    '0:v:0',
    '-vf',
    `scale=w='min(${MOST_WIDTH},trunc(iw/2)*2)':h=-2,format=yuv420p`,
    ...coder,
    '-preset',
    'superfast',
    '-tune',
    'zerolatency',
    '-bf',
    '0',
    '-force_key_frames',
    'expr:gte(t,n_forced)',
    '-b:v',
    `${bitrateKbps}k`,
    '-maxrate',
    `${bitrateKbps}k`,
    '-bufsize',
    `${Math.round(bitrateKbps / 2)}k`,
    ...(audio.channels === 0 ? ['-an'] : [...sound, ...soundCoding]),
    '-output_ts_offset',
    (steadyMs / 1000).toFixed(3),
    ...promptTransport,
    'pipe:1',
  ]
}

/** A track for each pair of the channels that are set, as far as the input has them. */
function soundOf(feed: ReturnFeed, { audio: { channels } }: Pick<VrSettings, 'audio'>): string[] {
  const pairs = Math.max(1, channels / 2)
  if ('bus' in feed)
    return Array.from({ length: Math.min(pairs, feed.audioTracks) }, (_, track) => [
      '-map',
      `0:a:${track}`,
    ]).flat()
  const { source, picture } = feed
  const given = Math.ceil(soundChannelsOf(source) / 2)
  const { audioInput } = sourceInputs(source, picture)
  if (Math.min(pairs, given) === 1) return ['-map', `${audioInput}:a:0?`]
  return pairedSound(source, audioInput, 2 * Math.min(pairs, given))
}

const soundCoding = ['-c:a', 'aac', '-b:a', `${AUDIO_KBPS_PER_CHANNEL * 2}k`, '-ar', '48000', '-ac', '2']
