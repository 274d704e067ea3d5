// One ffmpeg that takes a bus on standard input and is started again when it ends; its failure affects nothing else.
import { english, type PlainCode } from '@backhaul/contract/define/refusals'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { redactSecrets } from '@backhaul/runtime/redact'
import type { ProgramCounts } from './program-counts.ts'

const restartDelaysMs = [1000, 2000, 5000, 10_000]
const stableAfterMs = 30_000
/** A child that was behind for this long is stuck, not slow. */
const STUCK_AFTER_MS = 10_000
const FINISH_WITHIN_MS = 3000
const GATHER_MS = 20
/** Number of last messages that are kept. */
const MESSAGES_KEPT = 8

/** Input side of every sink: timestamps are generated where the source has none, streams are known after a second. */
export const sinkInput = [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-v',
  'error',
  '-fflags',
  '+genpts',
  '-probesize',
  '1000000',
  '-analyzeduration',
  '1000000',
  '-f',
  'mpegts',
  '-i',
  'pipe:0',
]

export interface FfmpegSink {
  pid(): number | undefined
  /** Lets the child write what it has; kills it when that takes longer than 3 s. */
  stop(): Promise<void>
}

export interface FfmpegSinkOptions {
  ffmpegPath: string
  bus: TsBus
  /** Called at each start, since a file gets a new name each time. What it throws is how this start ended. */
  args: () => readonly string[]
  /** Must not be logged, wherever the program prints them. */
  secrets?: readonly string[]
  /** Called before each start: the reason why it must not start now, if any. */
  refusal?: () => Promise<PlainCode | undefined>
  onRefused?: (why: PlainCode) => void
  onStarted?: () => void
  /** Called with its output, for a program that writes to standard output. */
  onStdout?: (chunk: Buffer) => void
  /** It has written more output; the total in bytes, known only for programs with `-progress pipe:2`. */
  onWrote?: (sizeBytes: number | undefined) => void
  /** It ended by itself; `messages` are its last messages, oldest first and without secrets. */
  onEnded?: (messages: readonly string[]) => void
  counts: ProgramCounts
  log: Log
}

export function startFfmpegSink(options: FfmpegSinkOptions): FfmpegSink {
  const { ffmpegPath, bus, args, secrets, onStarted, onWrote, onEnded, counts, log } = options
  let child: SupervisedChild | undefined
  let endFeed = () => {}
  let restartTimer: NodeJS.Timeout | undefined
  let failures = 0
  let stopping = false

  function start(): void {
    if (options.refusal) void options.refusal().then(startUnless)
    else startNow()
  }

  /** A full disk is the fault of one program, not of all. */
  function startNow(): void {
    let given: readonly string[]
    try {
      given = args()
    } catch (error) {
      const line = redactSecrets((error as Error).message, secrets)
      log.warn({ line, restartInMs: launchLater() }, 'program not started')
      onEnded?.([line])
      return
    }
    run(given)
  }

  function startUnless(refused: PlainCode | undefined): void {
    if (stopping) return
    if (refused === undefined) startNow()
    else {
      log.warn({ reason: english(refused), restartInMs: launchLater() }, 'program not started')
      options.onRefused?.(refused)
    }
  }

  function launchLater(): number {
    const restartInMs = restartDelaysMs[Math.min(failures++, restartDelaysMs.length - 1)]!
    restartTimer = setTimeout(start, restartInMs)
    return restartInMs
  }

  function run(given: readonly string[]): void {
    const startedMs = performance.now()
    const messages: string[] = []
    let writtenMs = 0
    const started = runFfmpeg({
      path: ffmpegPath,
      args: given,
      ...(options.onStdout && { onStdout: options.onStdout }),
      onProgress({ outTimeMs, sizeBytes }) {
        if (outTimeMs <= writtenMs) return
        writtenMs = outTimeMs
        onWrote?.(sizeBytes)
      },
      onMessage(message) {
        const line = redactSecrets(message, secrets)
        messages.push(line)
        if (messages.length > MESSAGES_KEPT) messages.shift()
        log.warn({ line }, 'ffmpeg message')
      },
      onExit({ code, signal }) {
        endFeed()
        child = undefined
        if (stopping) return
        onEnded?.(messages)
        counts.restarts += 1
        if (performance.now() - startedMs >= stableAfterMs) failures = 0
        log.warn({ code, signal, restartInMs: launchLater() }, 'program ended, restarting')
      },
    })
    child = started
    onStarted?.()
    endFeed = feedChild({
      bus,
      child: started,
      gatherMs: GATHER_MS,
      onBehind: (forMs) => noteBehind(started, forMs),
    })
  }

  function noteBehind(slow: SupervisedChild, forMs: number): void {
    counts.dropped += 1
    if (forMs === 0) log.warn('output too slow: pictures are dropped')
    if (forMs > STUCK_AFTER_MS) void slow.stop()
  }

  start()
  return {
    pid: () => child?.pid(),
    async stop() {
      stopping = true
      clearTimeout(restartTimer)
      endFeed()
      if (!child) return
      child.endInput()
      const { promise: tooLong, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, FINISH_WITHIN_MS)
      await Promise.race([child.exited, tooLong])
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
