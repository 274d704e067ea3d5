// An SRT destination that readers call: transcoded at most once, regardless of the number of its readers.
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import { transportArguments } from './output-arguments.ts'
import type { Overlaid } from './overlay.ts'
import { type SrtListenerOptions, startSrtListener } from './srt-listener.ts'

export function startSrtOutput(options: SrtListenerOptions & { over: Overlaid | undefined }) {
  const { over, bus, ffmpegPath, counts, state, log } = options
  const { encoding, ...output } = options.output
  if (!encoding && !over) return startSrtListener({ ...options, output })
  const coded = createTsBus({ onReaderFailed: (error) => log.error(error, 'a reader of the stream failed') })
  const coder = startFfmpegSink({
    ffmpegPath,
    bus,
    args: () => transportArguments(options.output, over),
    onStdout: coded.push,
    onEnded: state.ended,
    counts,
    log,
  })
  const listener = startSrtListener({ ...options, output, bus: coded })
  return {
    ...listener,
    async stop() {
      await Promise.all([listener.stop(), coder.stop()])
    },
  }
}
