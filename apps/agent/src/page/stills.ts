// A still of each camera a second, while users view the unit's own page.
import { frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import { createJpegSplitter } from '@backhaul/ffmpeg/jpeg-splitter'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { stillArguments } from '@backhaul/ffmpeg/still-arguments'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { RawSource } from '../encoder/raw-source.ts'

const periodMs = 1000
/** A camera without a new still for this long gives no picture. */
const staleAfterMs = 4000
/** A page that is loaded again finds its cameras open. */
const keptOpenMs = 5000

export interface Still {
  readonly jpeg: Buffer
  /** Counts the stills of all cameras. */
  readonly number: number
}

export interface Stills {
  /** Cameras count from 1; undefined while one gives no picture. */
  of(camera: number): Still | undefined
  /** Opens the cameras; returns what ends that. */
  watch(): () => void
  close(): Promise<void>
}

export interface StillsOptions {
  ffmpegPath: string
  cameras: number
  /** The source of a camera as it is open now. */
  pictureOf: (camera: number) => RawSource
  clock: Clock
  log: Log
}

interface Maker {
  readonly source: RawSource
  stop(): Promise<void>
}

/**
 * 1. closed: no user looks, and no camera is open for the page;
 * 2. watched: each camera is open, and followed to where it is open after a start or stop of a transmission;
 * 3. kept: the last user has left; after 5 s to 1, with the next one to 2.
 */
export function createStills(options: StillsOptions): Stills {
  const { clock } = options
  const numbers = Array.from({ length: options.cameras }, (_, at) => at + 1)
  const makers = new Map<number, Maker>()
  const newest = new Map<number, Still & { atMs: number }>()
  const closing = new Set<Promise<void>>()
  let watchers = 0
  let count = 0
  let following: Timer | undefined
  let keeping: Timer | undefined

  function follow(): void {
    for (const camera of numbers) {
      const source = options.pictureOf(camera)
      if (makers.get(camera)?.source === source) continue
      end(camera)
      const onJpeg = (jpeg: Buffer) => {
        newest.set(camera, { jpeg, number: ++count, atMs: clock.monotonicMs() })
      }
      makers.set(camera, startMaker(options, source, onJpeg))
    }
  }

  function end(camera: number): void {
    const ended = makers.get(camera)?.stop()
    makers.delete(camera)
    if (!ended) return
    closing.add(ended)
    void ended.finally(() => closing.delete(ended))
  }

  function closeAll(): void {
    clock.clearInterval(following)
    clock.clearTimeout(keeping)
    following = undefined
    for (const camera of numbers) end(camera)
    newest.clear()
  }

  return {
    of(camera) {
      const still = newest.get(camera)
      return still && clock.monotonicMs() - still.atMs < staleAfterMs ? still : undefined
    },
    watch() {
      watchers++
      clock.clearTimeout(keeping)
      if (following === undefined) {
        follow()
        following = clock.setInterval(follow, periodMs)
      }
      return () => {
        watchers--
        if (watchers === 0) keeping = clock.setTimeout(closeAll, keptOpenMs)
      }
    },
    async close() {
      closeAll()
      await Promise.all(closing)
    },
  }
}

/** One program for all stills of a camera; it is given a frame a second. */
function startMaker(
  { ffmpegPath, clock, log }: StillsOptions,
  source: RawSource,
  onJpeg: (jpeg: Buffer) => void,
): Maker {
  let isStopped = false
  const splitter = createJpegSplitter((jpeg) => {
    if (!isStopped) onJpeg(jpeg)
  })
  const child = runFfmpeg({
    path: ffmpegPath,
    args: stillArguments(source.picture),
    restart: true,
    backlogLimitBytes: 2 * frameBytes(source.picture),
    onStdout: splitter.push,
    onMessage: (line) => log.debug({ ffmpeg: line }, 'ffmpeg message about stills'),
  })
  let fedMs = Number.NEGATIVE_INFINITY
  const endListening = source.listen({
    frame(bytes) {
      if (clock.monotonicMs() - fedMs < periodMs) return
      fedMs = clock.monotonicMs()
      child.write(bytes)
    },
    sound() {},
    restarted() {},
  })
  return {
    source,
    async stop() {
      isStopped = true
      await Promise.all([endListening(), child.stop()])
    },
  }
}
