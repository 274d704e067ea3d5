// Analyses one collecting channel with one cheap ffmpeg: stills, picture health, sound levels.
import type { AudioLevel, PictureHealth } from '@backhaul/contract/nouns/channels'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import { createJpegSplitter } from '@backhaul/ffmpeg/jpeg-splitter'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import { createLineSplitter } from '@backhaul/runtime/line-splitter'
import type { Log } from '@backhaul/runtime/log'
import type { ProgramCounts } from '../bus/program-counts.ts'
import { analysisArguments } from './analysis-arguments.ts'
import { createMeasureParser } from './measured-lines.ts'
import { createHealthJudge } from './picture-health.ts'
import { thinned } from './thinned.ts'

/** Sound is measured five times a second; packets may as well come in larger pieces. */
const GATHER_MS = 100
/** Stills that are not watched are made at most this often: to decode a key frame is most of the cost of a channel. */
const UNWATCHED_MS = 1500

export interface Still {
  readonly timeMs: number
  readonly jpeg: Buffer
}

export interface Stills {
  put(still: Still): void
  watcherCount(): number
}

export interface Analysis {
  health(): PictureHealth
  levels(): readonly AudioLevel[]
  pid(): number | undefined
  stop(): Promise<void>
}

export interface AnalysisOptions {
  ffmpegPath: string
  bus: TsBus
  /** The number of measured tracks of sound; each of them has to be present all the time. */
  audioTracks: number
  stills: Stills
  counts: ProgramCounts
  log: Log
}

/** Starts with the streams that the bus knows now; the caller stops it when they change. */
export function startAnalysis(options: AnalysisOptions): Analysis {
  const { ffmpegPath, bus, audioTracks, stills, counts, log } = options
  const judge = createHealthJudge()
  let levels: readonly AudioLevel[] = []
  /** It has recognized the streams, for which it needs all of their beginning. */
  let isGiving = false
  let decodedMs = Number.NEGATIVE_INFINITY
  const jpegs = createJpegSplitter((jpeg) => {
    isGiving = true
    stills.put({ timeMs: Date.now(), jpeg })
  })
  const measures = createMeasureParser({
    onPicture: (measure) => judge.picture(measure, performance.now()),
    onLevels(measured) {
      levels = measured
      judge.levels(measured, performance.now())
    },
  })
  const lines = createLineSplitter(measures.push)
  const child = runFfmpeg({
    path: ffmpegPath,
    args: analysisArguments({ video: bus.video() !== undefined, audioTracks }),
    restart: true,
    onExit(_, restartInMs) {
      isGiving = false
      if (restartInMs !== undefined) counts.restarts += 1
    },
    onStdout: jpegs.push,
    sidePipe: { onData: (chunk) => lines.push(chunk) },
    onMessage: (line) => log.debug({ line }, 'ffmpeg message of the analysis'),
  })

  function isWanted(isKeyFrame: boolean): boolean {
    if (!isGiving) return true
    const nowMs = performance.now()
    if (!isKeyFrame || (stills.watcherCount() === 0 && nowMs - decodedMs < UNWATCHED_MS)) return false
    decodedMs = nowMs
    return true
  }

  const endFeed = feedChild({
    bus: thinned(bus, isWanted),
    child,
    gatherMs: GATHER_MS,
    onBehind: () => (counts.dropped += 1),
  })
  return {
    health: () => judge.verdict(performance.now()),
    levels: () => levels,
    pid: child.pid,
    async stop() {
      endFeed()
      await child.stop()
    },
  }
}
