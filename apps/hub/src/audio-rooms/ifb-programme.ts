// The programme of an IFB as sound: one ffmpeg while units listen, and none without.
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { type Picture, sourceInputs } from '@backhaul/ffmpeg/sources'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { createFrameCutter, type Frame, SAMPLE_RATE } from '@backhaul/speech/frames'
import { sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import { noCounts } from '../bus/program-counts.ts'
import type { ReturnSource } from '../messages.ts'

/** Frames that may wait to be played; with more, old ones are dropped. */
const mostWaiting = 10
const keptWaiting = 3
/** The size of the test picture, which is not shown. */
const smallest: Picture = { width: 64, height: 36, framesPerSecond: 25 }

export interface IfbProgramme {
  /** The next 20 ms; undefined while nothing comes. */
  next(): Frame | undefined
  /** The last message of the program since it ended by itself, until sound comes again. */
  failure(): string | undefined
  stop(): Promise<void>
}

export interface IfbProgrammeOptions {
  ffmpegPath: string
  source: ReturnSource
  busOf: (slot: string) => TsBus | undefined
  log: Log
}

const quiet = ['-hide_banner', '-nostdin', '-nostats', '-v', 'error']

const sound = (input: number): string[] => [
  '-map',
  `${input}:a:0`,
  '-vn',
  '-ac',
  '1',
  '-ar',
  String(SAMPLE_RATE),
  '-f',
  's16le',
  '-flush_packets',
  '1',
  'pipe:1',
]

export function startIfbProgramme(options: IfbProgrammeOptions): IfbProgramme {
  const waiting: Frame[] = []
  let failure: string | undefined
  const cut = createFrameCutter((frame) => {
    waiting.push(frame)
    if (waiting.length > mostWaiting) waiting.splice(0, waiting.length - keptWaiting)
  })
  const stop = startProgram(
    options,
    (bytes) => {
      failure = undefined
      cut(bytes)
    },
    (message) => {
      failure = message
    },
  )
  return { next: () => waiting.shift(), failure: () => failure, stop }
}

function startProgram(
  { ffmpegPath, source, busOf, log }: IfbProgrammeOptions,
  onStdout: (bytes: Buffer) => void,
  onEnded: (message: string) => void,
): () => Promise<void> {
  if (source.kind !== 'slot') {
    const given = source.kind === 'file' ? source : { kind: 'testPattern' as const }
    const { args, audioInput } = sourceInputs(given, smallest)
    let message = ''
    const child = runFfmpeg({
      path: ffmpegPath,
      args: [...quiet, ...args, ...sound(audioInput)],
      restart: true,
      onStdout,
      onMessage(line) {
        message = line
        log.warn({ line }, 'ffmpeg message')
      },
      onExit: (_, restartInMs) => {
        if (restartInMs !== undefined) onEnded(message)
      },
    })
    return () => child.stop()
  }
  const bus = busOf(source.slot)
  if (!bus) return async () => {}
  const args = () => [...sinkInput, ...sound(0)]
  return startFfmpegSink({
    ffmpegPath,
    bus,
    args,
    onStdout,
    onEnded: (messages) => onEnded(messages.at(-1) ?? ''),
    counts: noCounts(),
    log,
  }).stop
}
