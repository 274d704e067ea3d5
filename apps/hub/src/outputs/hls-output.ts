// One HLS destination: ffmpeg writes fragmented MP4, which players fetch from this hub.
import type { Output } from '@backhaul/contract/gateway/servers'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import { createFragmentCutter, type FragmentCutter } from '../hls/fragments.ts'
import type { HlsStreams } from '../hls/hls-streams.ts'
import { hlsArguments } from './output-arguments.ts'
import type { SinkState } from './output-state.ts'
import type { Overlaid } from './overlay.ts'

export const hlsKeyOf = ({ url }: Pick<Output, 'url'>): string => url.slice('hls://'.length)

export interface HlsOutputOptions {
  output: Output
  over: Overlaid | undefined
  ffmpegPath: string
  bus: TsBus
  streams: HlsStreams
  state: SinkState
  counts: ProgramCounts
  log: Log
}

export function startHlsOutput(options: HlsOutputOptions) {
  const { output, over, ffmpegPath, bus, streams, state, counts, log } = options
  const feed = streams.open(hlsKeyOf(output), output.lowLatency === true)
  let cutter: FragmentCutter | undefined

  function read(chunk: Buffer): void {
    try {
      cutter?.push(chunk)
    } catch (error) {
      cutter = undefined
      log.error(error, 'HLS fragments cannot be read')
    }
  }

  const sink = startFfmpegSink({
    ffmpegPath,
    bus,
    args: () => hlsArguments(output, over, bus.video()?.codec === 'h265'),
    onStarted() {
      cutter = createFragmentCutter({
        onHeader: feed.begin,
        onFragment(fragment) {
          feed.push(fragment)
          state.wrote()
        },
      })
      state.started()
    },
    onStdout: read,
    onEnded: state.ended,
    counts,
    log,
  })
  return {
    pid: sink.pid,
    readers: feed.readers,
    async stop() {
      await sink.stop()
      feed.end()
    },
  }
}
