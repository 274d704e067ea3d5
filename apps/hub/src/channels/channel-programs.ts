// The programs that work on a channel while it collects: analysis, recording, outputs. They come and go with the picture.
import type { ServerFailure, WantedChannel } from '@backhaul/contract/gateway/servers'
import type { AudioLevel, PictureHealth } from '@backhaul/contract/nouns/channels'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { type Analysis, type Stills, startAnalysis } from '../analysis/analysis.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import type { HlsStreams } from '../hls/hls-streams.ts'
import type { UsableFfmpeg } from '../messages.ts'
import { createOutputs } from '../outputs/outputs.ts'
import type { Overlaid } from '../outputs/overlay.ts'
import { closeRecording, type Recording, startRecording } from '../recordings/recording.ts'
import { createSmpteSender } from '../smpte/smpte-output.ts'
import type { SmpteOutput } from '../smpte/smpte-streams.ts'

/** The state that the programs of a channel with a picture follow. */
export interface Following {
  readonly wanted: WantedChannel
  readonly unitId: string
  /** The number of tracks of sound that are always present. */
  readonly audioTracks: number
  readonly over: Overlaid | undefined
  readonly smpte: SmpteOutput | undefined
  /** Nothing comes in: there is nothing to measure and no still. */
  readonly isSlate: boolean
}

export interface ChannelPrograms {
  /** The picture is there: starts and stops programs so that they match the wanted state and the streams. */
  follow(following: Following): void
  /** The picture is gone. */
  pause(): void
  health(): PictureHealth | undefined
  levels(): readonly AudioLevel[]
  /** A file is being written. */
  isRecording(): boolean
  outputs(): OutputStatus[]
  /** The programs that failed to run, except outputs. */
  failures(): ServerFailure[]
  /** By purpose, for measurements and tests. */
  pids(): Record<string, number | undefined>
  stop(): Promise<void>
}

export interface ChannelProgramsOptions {
  ffmpeg: UsableFfmpeg | undefined
  bus: TsBus
  recordingsFolder: string
  /** The path of the description of the SMPTE 2110 streams; undefined where there are none. */
  descriptionPath?: string
  /** Folder of the option files with secrets while a program starts. */
  optionsFolder: string
  mayStreamToOwnNetwork: boolean
  hls: HlsStreams | undefined
  stills: Stills
  counts: ProgramCounts
  log: Log
}

export function createChannelPrograms(options: ChannelProgramsOptions): ChannelPrograms {
  const { ffmpeg, bus, recordingsFolder, optionsFolder, mayStreamToOwnNetwork, hls, stills, counts, log } =
    options
  const { descriptionPath } = options
  const outputs =
    ffmpeg &&
    createOutputs({ ffmpegPath: ffmpeg.path, bus, optionsFolder, mayStreamToOwnNetwork, hls, counts, log })
  const smpteSender =
    ffmpeg && descriptionPath !== undefined
      ? createSmpteSender({
          ffmpegPath: ffmpeg.path,
          bus,
          descriptionPath,
          counts,
          log: log.child({ output: 'smpte' }),
        })
      : undefined
  const endings = new Set<Promise<void>>()
  let analysis: Analysis | undefined
  let recording: Recording | undefined
  let layout = ''
  let intake: WantedChannel['intake'] = null

  function ended(stopping: Promise<void> | undefined): void {
    if (!stopping) return
    endings.add(stopping)
    void stopping.finally(() => endings.delete(stopping))
  }

  function stopRecording(): void {
    ended(recording?.stop())
    recording = undefined
  }

  function pause(): void {
    ended(analysis?.stop())
    analysis = undefined
    stopRecording()
    outputs?.apply([])
    smpteSender?.apply(undefined)
    layout = ''
  }

  return {
    follow({ wanted, unitId, audioTracks, over, smpte, isSlate }) {
      if (!ffmpeg) return
      // Programs detect the streams once, at their start: a change of the streams needs a restart.
      if (layout !== '' && layout !== bus.layout()) pause()
      layout = bus.layout()
      if (!isSlate)
        analysis ??= startAnalysis({
          ffmpegPath: ffmpeg.path,
          bus,
          audioTracks,
          stills,
          counts,
          log,
        })
      outputs?.apply(wanted.outputs, over)
      smpteSender?.apply(smpte && { output: smpte, name: wanted.name, audioTracks })
      const { channelId } = wanted
      intake = wanted.intake
      if (!wanted.recording && recording) {
        stopRecording()
        closeRecording(recordingsFolder, { channelId, unitId })
      }
      if (wanted.recording) {
        recording ??= startRecording({
          ffmpegPath: ffmpeg.path,
          bus,
          folder: recordingsFolder,
          channelId,
          unitId,
          transmissionId: intake?.transmissionId ?? '',
          channelName: wanted.name,
          labels: () => intake?.labels,
          counts,
          log,
        })
      }
    },
    pause,
    health: () => analysis?.health(),
    levels: () => analysis?.levels() ?? [],
    isRecording: () => recording?.isWriting() === true,
    outputs: () => [...(outputs?.states() ?? []), ...(smpteSender?.states() ?? [])],
    failures: () => [recording?.failure() ?? []].flat(),
    pids: () => ({
      analysis: analysis?.pid(),
      recording: recording?.pid(),
      smpte: smpteSender?.pid(),
      ...Object.fromEntries(outputs?.pids() ?? []),
    }),
    async stop() {
      pause()
      await Promise.all([...endings, outputs?.stop(), smpteSender?.stop()])
    },
  }
}
