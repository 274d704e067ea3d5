// Store and forward: a camera is recorded to the unit's storage, and its file can be uploaded afterwards.
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  recordedCamera,
  recordingCodec,
  recordingKbps,
  recordingLabels,
  recordingPath,
} from '@backhaul/contract/nouns/recordings'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { frameBytes, recordCapturedArguments } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { sampleBytesOf, soundBytesOf } from '@backhaul/ffmpeg/sound-arguments'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { RawSource } from './encoder/raw-source.ts'
import { qualityOf } from './unit-quality.ts'

// 1. recording: into a folder that is not shown among the files of the unit;
// 2. closed: moved to its place, by stop, when ffmpeg ends by itself, or at the next start after a crash. Until stop, a
//    recording that ended by itself continues in its next part.

/** The folder of unfinished recordings. They are not shown: they have neither their length nor all pictures yet. */
const openFolder = '.recording'
/** A disk that is slow for a moment costs nothing: two seconds. */
const backlogSeconds = 2
const restartAfterMs = 5000

export interface RecorderOptions {
  ffmpegPath: string
  /** The picture of a camera as it is open now. */
  pictureOf: (camera: number) => RawSource
  mediaFolder: string
  clock: Clock
  log: Log
  /** A recording began or ended. */
  onChange: () => void
}

export interface Recorder {
  isRecording(): boolean
  /**
   * With the camera, the quality, the name and the labels that are set now, to its end; does nothing while a recording
   * runs. Throws the system's error when the storage takes no file.
   */
  start(settings: UnitSettings): void
  /** Resolves when the file has its place among the files of the unit. */
  stop(): Promise<void>
}

/** The common data of the parts of a recording, and the number of this part. */
interface Whole {
  readonly beganMs: number
  readonly part: number
}

interface Open {
  readonly child: SupervisedChild
  readonly closed: Promise<void>
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { mediaFolder, clock, log } = options
  const hidden = join(mediaFolder, openFolder)
  closeLeftOver(hidden, mediaFolder)
  let open: Open | undefined
  let restart: Timer | undefined
  let isWanted = false

  function record(settings: UnitSettings, whole: Whole = { beganMs: clock.nowMs(), part: 1 }): Open {
    const beganMs = clock.nowMs()
    const path = recordingPath(settings, whole.beganMs, whole.part)
    const hiddenPath = join(hidden, path)
    const finalPath = join(mediaFolder, path)
    mkdirSync(dirname(hiddenPath), { recursive: true })
    const { audioKbps, effort } = qualityOf(settings)
    const source = options.pictureOf(recordedCamera(settings))
    const sampleBytes = sampleBytesOf(source.channels)
    const child = runFfmpeg({
      path: options.ffmpegPath,
      args: recordCapturedArguments(source.picture, {
        codec: recordingCodec(settings) === 'H.264/AVC' ? 'h264' : 'h265',
        videoKbps: recordingKbps(settings),
        audioKbps,
        audioChannels: source.channels,
        effort,
        path: hiddenPath,
        labels: recordingLabels(settings),
        ...(settings.ntp && { beganMs }),
      }),
      sidePipe: {},
      backlogLimitBytes:
        Math.max(frameBytes(source.picture) * source.picture.framesPerSecond, soundBytesOf(source.channels)) *
        backlogSeconds,
      onMessage: (line) => log.debug({ ffmpeg: line }, 'ffmpeg message'),
    })
    let soundBytes = 0
    const passSound = (chunk: Uint8Array) => {
      if (child.writeSide(chunk)) soundBytes += chunk.length
    }
    const endListening = source.listen({
      frame: (bytes) => void child.write(bytes),
      sound: passSound,
      // The next sample must not begin within the one that was cut off.
      restarted: () => passSound(Buffer.alloc((sampleBytes - (soundBytes % sampleBytes)) % sampleBytes)),
    })
    log.info({ path }, 'recording started')
    const closed = child.exited.then(async ({ code }) => {
      await endListening()
      try {
        if (existsSync(hiddenPath)) place(hiddenPath, finalPath)
      } catch (error) {
        log.error({ err: error, path }, 'recording not added to the files before the next start')
      }
      open = undefined
      log.info({ path, code, framesLost: child.droppedCount() }, 'recording ended')
      if (isWanted) recordLater(settings, { ...whole, part: whole.part + 1 })
      options.onChange()
    })
    return { child, closed }
  }

  /** A storage that takes no file now may take one later. */
  function recordLater(settings: UnitSettings, whole: Whole): void {
    restart = clock.setTimeout(() => {
      try {
        open = record(settings, whole)
      } catch (error) {
        log.error({ err: error, part: whole.part }, 'next part of the recording not started, retrying')
        recordLater(settings, whole)
      }
      options.onChange()
    }, restartAfterMs)
  }

  return {
    isRecording: () => open !== undefined,
    start(settings) {
      if (isWanted) return
      open = record(settings)
      isWanted = true
      options.onChange()
    },
    async stop() {
      isWanted = false
      clock.clearTimeout(restart)
      const ending = open
      if (!ending) return
      ending.child.endInput()
      await ending.child.stop()
      await ending.closed
    },
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

/** Recordings that a crash or a loss of power left open. */
function closeLeftOver(hidden: string, mediaFolder: string): void {
  mkdirSync(hidden, { recursive: true })
  const files = readdirSync(hidden, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const file of files) {
    const from = join(file.parentPath, file.name)
    place(from, join(mediaFolder, from.slice(hidden.length + 1)))
  }
}
