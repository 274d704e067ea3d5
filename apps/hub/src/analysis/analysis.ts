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

/** Sound is measured five times a second; packets may as well come in larger pieces. */
const GATHER_MS = 50

export interface Still {
  readonly timeMs: number
  readonly jpeg: Buffer
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
  onStill: (still: Still) => void
  counts: ProgramCounts
  log: Log
}

/** Starts with the streams that the bus knows now; the caller stops it when they change. */
export function startAnalysis({ ffmpegPath, bus, onStill, counts, log }: AnalysisOptions): Analysis {
  const judge = createHealthJudge()
  let levels: readonly AudioLevel[] = []
  const jpegs = createJpegSplitter((jpeg) => onStill({ timeMs: Date.now(), jpeg }))
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
    args: analysisArguments({ video: bus.video() !== undefined, audio: bus.audio() !== undefined }),
    restart: true,
    onExit(_, restartInMs) {
      if (restartInMs !== undefined) counts.restarts += 1
    },
    onStdout: jpegs.push,
    sidePipe: { onData: (chunk) => lines.push(chunk) },
    onMessage: (line) => log.debug({ line }, 'analysis'),
  })
  const endFeed = feedChild({ bus, child, gatherMs: GATHER_MS, onBehind: () => (counts.dropped += 1) })
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
