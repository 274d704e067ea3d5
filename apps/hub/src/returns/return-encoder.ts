// Encodes the picture of an input as a return channel is set, for one unit.
import type { VrSettings } from '@backhaul/contract/nouns/video-return'
import { promptTransport } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { sourceInputs } from '@backhaul/ffmpeg/sources'
import type { Log } from '@backhaul/runtime/log'
import { sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import type { ReturnFeed } from './return-inputs.ts'

/** A crew looks at the return; larger pictures are scaled down. */
const MOST_WIDTH = 1920
const AUDIO_KBPS_PER_CHANNEL = 48

export interface ReturnEncoder {
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
  const { ffmpegPath, feed, settings, onData, counts, log } = options
  if ('bus' in feed)
    return startFfmpegSink({
      ffmpegPath,
      bus: feed.bus,
      args: () => [...sinkInput, ...returnArguments(settings, 0, performance.now())],
      onStdout: onData,
      counts,
      log,
    })
  const { args, audioInput } = sourceInputs(feed.source, feed.picture)
  return runFfmpeg({
    path: ffmpegPath,
    args: [...quiet, ...args, ...returnArguments(settings, audioInput, performance.now())],
    restart: true,
    onStdout: onData,
    onMessage: (line) => log.warn({ line }, 'ffmpeg message'),
    onExit: (exit, restartInMs) => {
      if (restartInMs === undefined) return
      counts.restarts += 1
      log.warn({ ...exit, restartInMs }, 'program ended, restarting')
    },
  })
}

const quiet = ['-hide_banner', '-nostdin', '-nostats', '-v', 'error']

/**
 * A key frame each second, nothing held back. Stamps continue over a restart: they begin at the time of this machine's
 * steady clock.
 */
function returnArguments(
  { video, audio }: Pick<VrSettings, 'video' | 'audio'>,
  audioInput: number,
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
    ...(audio.channels === 0 ? ['-an'] : soundArguments(audioInput, audio.channels)),
    '-output_ts_offset',
    (steadyMs / 1000).toFixed(3),
    ...promptTransport,
    'pipe:1',
  ]
}

const soundArguments = (input: number, channels: number): string[] => [
  '-map',
  `${input}:a:0?`,
  '-c:a',
  'aac',
  '-b:a',
  `${AUDIO_KBPS_PER_CHANNEL * channels}k`,
  '-ar',
  '48000',
  '-ac',
  String(channels),
]
