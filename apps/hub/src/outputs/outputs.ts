// Sends what a channel receives to other places, each by a program of its own.
import type { Output } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import { type FfmpegSink, sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { TsBus } from '../bus/ts-bus.ts'

const schemes: Readonly<Record<Output['protocol'], RegExp>> = {
  srt: /^srt:\/\/[^\s/]/,
  rtmp: /^rtmps?:\/\/[^\s/]/,
  mpegts: /^udp:\/\/[^\s/]/,
}

/** Why the output cannot be sent to, or undefined. Keeps ffmpeg from being handed a file or a command. */
export function outputProblem({ protocol, url }: Output): string | undefined {
  return schemes[protocol].test(url) ? undefined : `url: is no address for ${protocol}`
}

export function outputArguments({ protocol, url }: Output): string[] {
  const copy = ['-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy']
  const stream = ['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts']
  switch (protocol) {
    case 'srt':
      return [...sinkInput, ...copy, ...stream, url]
    case 'rtmp':
      return [...sinkInput, ...copy, '-flvflags', 'no_duration_filesize', '-f', 'flv', url]
    case 'mpegts':
      return [...sinkInput, ...copy, ...stream, withOption(url, 'pkt_size=1316')]
  }
}

const withOption = (url: string, option: string) =>
  url.includes(option.split('=')[0]!) ? url : `${url}${url.includes('?') ? '&' : '?'}${option}`

export interface Outputs {
  /** Starts what is new, stops what is gone; an output whose address changed is both. */
  apply(wanted: readonly Output[]): void
  pids(): ReadonlyMap<string, number | undefined>
  stop(): Promise<void>
}

export function createOutputs(options: { ffmpegPath: string; bus: TsBus; log: Log }): Outputs {
  const running = new Map<string, { id: string; sink: FfmpegSink }>()
  const keyOf = ({ id, protocol, url }: Output) => `${id} ${protocol} ${url}`

  return {
    apply(wanted) {
      const keys = new Set(wanted.map(keyOf))
      for (const [key, { sink }] of running) {
        if (keys.has(key)) continue
        running.delete(key)
        void sink.stop()
      }
      for (const output of wanted) {
        if (running.has(keyOf(output))) continue
        const log = options.log.child({ output: output.id })
        const problem = outputProblem(output)
        if (problem) {
          log.warn({ problem }, 'the output is not sent')
          continue
        }
        const sink = startFfmpegSink({ ...options, args: () => outputArguments(output), log })
        running.set(keyOf(output), { id: output.id, sink })
      }
    },
    pids: () => new Map([...running.values()].map(({ id, sink }) => [id, sink.pid()])),
    async stop() {
      const sinks = [...running.values()]
      running.clear()
      await Promise.all(sinks.map(({ sink }) => sink.stop()))
    },
  }
}
