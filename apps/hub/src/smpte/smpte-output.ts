import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { steadyMs } from '@backhaul/runtime/signed-requests'
import { type FfmpegSink, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import { createSinkState } from '../outputs/output-state.ts'
import { type SmpteOutput, type SmptePicture, smpteArguments, smpteDescription } from './smpte-streams.ts'

/** Among the outputs of a channel. */
const outputId = 'smpte'
/** Share of the rate by which a measured one may be off. */
const OFF = 0.02

/** With the name of the channel, and the tracks of sound that it has all the time. */
export interface SmpteWanted {
  readonly output: SmpteOutput
  readonly name: string
  readonly audioTracks: number
}

/** One channel in the networks of a studio, while a picture comes in. */
export interface SmpteSender {
  /** Starts or ends it; starts it again when its addresses, or the size or rate of the picture are other ones. */
  apply(wanted: SmpteWanted | undefined): void
  states(): OutputStatus[]
  pid(): number | undefined
  stop(): Promise<void>
}

export interface SmpteSenderOptions {
  ffmpegPath: string
  bus: TsBus
  /** The address of the description while it sends. */
  descriptionPath: string
  counts: ProgramCounts
  log: Log
}

interface Sending extends SmpteWanted {
  readonly picture: SmptePicture
}

export function createSmpteSender(options: SmpteSenderOptions): SmpteSender {
  const { ffmpegPath, bus, descriptionPath, counts, log } = options
  let running: { sending: Sending; sink: FfmpegSink; state: ReturnType<typeof createSinkState> } | undefined
  let ending: Promise<void> = Promise.resolve()

  function end(): void {
    const ended = running
    running = undefined
    if (!ended) return
    removeDescription()
    ending = Promise.all([ending, ended.sink.stop()]).then(() => {})
  }

  function removeDescription(): void {
    try {
      rmSync(descriptionPath, { force: true })
    } catch (error) {
      log.warn({ err: error, path: descriptionPath }, 'description of SMPTE streams not removed')
    }
  }

  function start(sending: Sending): void {
    const { output, name, picture, audioTracks } = sending
    const state = createSinkState({ nowMs: Date.now, steadyMs, isListener: false })
    const sink = startFfmpegSink({
      ffmpegPath,
      bus,
      args() {
        mkdirSync(dirname(descriptionPath), { recursive: true })
        writeFileSync(descriptionPath, smpteDescription(name, output, picture, audioTracks))
        return smpteArguments(output, picture, audioTracks)
      },
      onStarted: state.started,
      onWrote: state.wrote,
      onEnded: state.ended,
      counts,
      log,
    })
    running = { sending, sink, state }
  }

  /** The same while what is measured is no other one, or nothing yet, as after a jump of the stamps. */
  function steadyRate(measured: number): number {
    const before = running?.sending.picture.fps ?? 0
    return measured === 0 || Math.abs(measured - before) < OFF * before ? before : measured
  }

  return {
    apply(wanted) {
      const picture = bus.picture()
      const fps = steadyRate(picture?.fps ?? 0)
      if (!wanted || !picture || fps === 0) return end()
      const { width, height, colours } = picture
      const next = { ...wanted, picture: { width, height, fps, colours } }
      if (isDeepStrictEqual(next, running?.sending)) return
      end()
      start(next)
    },
    states: () => (running ? [{ id: outputId, ...running.state.read() }] : []),
    pid: () => running?.sink.pid(),
    async stop() {
      end()
      await ending
    },
  }
}
