// One ffmpeg that takes a bus on standard input and is started again when it ends; it harms nothing but itself.
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { feedChild } from './child-feed.ts'
import type { TsBus } from './ts-bus.ts'

const restartDelaysMs = [1000, 2000, 5000, 10_000]
const stableAfterMs = 30_000
/** A child that was behind for so long is stuck, not slow. */
const STUCK_AFTER_MS = 10_000
const FINISH_WITHIN_MS = 3000
const GATHER_MS = 20
/** What has said nothing of its progress for so long writes nothing. */
const SILENT_AFTER_MS = 3000

/** Input side of every sink: stamps made up where the source has none, streams known after a second. */
export const sinkInput = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-fflags', '+genpts'],
  ...['-probesize', '1000000', '-analyzeduration', '1000000', '-f', 'mpegts', '-i', 'pipe:0'],
]

export interface FfmpegSink {
  pid(): number | undefined
  /** Whether it wrote something in the last seconds; known of programs with `-progress pipe:2` alone. */
  isWriting(): boolean
  /** Lets the child write what it has; kills it when that takes longer than 3 s. */
  stop(): Promise<void>
}

export interface FfmpegSinkOptions {
  ffmpegPath: string
  bus: TsBus
  /** Asked for at each start, since a file gets a new name each time. */
  args: () => readonly string[]
  log: Log
}

export function startFfmpegSink({ ffmpegPath, bus, args, log }: FfmpegSinkOptions): FfmpegSink {
  let child: SupervisedChild | undefined
  let endFeed = () => {}
  let restartTimer: NodeJS.Timeout | undefined
  let failures = 0
  let wroteMs = Number.NEGATIVE_INFINITY
  let stopping = false

  function launch(): void {
    const startedMs = performance.now()
    const started = runFfmpeg({
      path: ffmpegPath,
      args: args(),
      onProgress({ outTimeMs }) {
        if (outTimeMs > 0) wroteMs = performance.now()
      },
      onMessage: (line) => log.warn({ line }, 'ffmpeg says'),
      onExit({ code, signal }) {
        endFeed()
        child = undefined
        wroteMs = Number.NEGATIVE_INFINITY
        if (stopping) return
        if (performance.now() - startedMs >= stableAfterMs) failures = 0
        const restartInMs = restartDelaysMs[Math.min(failures++, restartDelaysMs.length - 1)]!
        log.warn({ code, signal, restartInMs }, 'ended and is started again')
        restartTimer = setTimeout(launch, restartInMs)
      },
    })
    child = started
    endFeed = feedChild({
      bus,
      child: started,
      gatherMs: GATHER_MS,
      onBehind: (forMs) => noteBehind(started, forMs),
    })
  }

  function noteBehind(slow: SupervisedChild, forMs: number): void {
    if (forMs === 0) log.warn('does not keep up and loses pictures')
    if (forMs > STUCK_AFTER_MS) void slow.stop()
  }

  launch()
  return {
    pid: () => child?.pid(),
    isWriting: () => performance.now() - wroteMs < SILENT_AFTER_MS,
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
