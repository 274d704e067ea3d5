// Sends what a channel receives to other places, each by a program of its own.
import type { Output } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import { type FfmpegSink, sinkInput, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { TsBus } from '../bus/ts-bus.ts'
import { type Overlaid, overlayInput, pictureMapping } from './overlay.ts'
import { openPortRelay } from './port-relay.ts'

const schemes: Readonly<Record<Output['protocol'], RegExp>> = {
  srt: /^srt:\/\/[^\s/]/,
  rtmp: /^rtmps?:\/\/[^\s/]/,
  mpegts: /^udp:\/\/[^\s/]/,
  rtsp: /^rtsps?:\/\/[^\s/]/,
}

/** Why the output cannot be sent to, or undefined. Keeps ffmpeg from being handed a file or a command. */
export function outputProblem({ protocol, url }: Output): string | undefined {
  return schemes[protocol].test(url) ? undefined : `url: is no address for ${protocol}`
}

/** Where a graphic lies over a picture of which nobody said how to encode it anew. */
const OVERLAID_KBPS = 6000

interface Coding {
  filters: string[]
  codecs: string[]
}

/** The picture as it comes, unless another one is asked for or a graphic lies over it; sound as it comes. */
function codingOf({ encoding, broadcast }: Output, isOverlaid: boolean): Coding {
  if (broadcast) return broadcastCoding(broadcast)
  if (!encoding && !isOverlaid) return { filters: [], codecs: ['-c', 'copy'] }
  const { profile, videoKbps, resolution, maxFrameRate } = encoding ?? { videoKbps: OVERLAID_KBPS }
  const rate = videoKbps && [
    ...['-b:v', `${videoKbps}k`, '-maxrate', `${videoKbps}k`],
    ...['-bufsize', `${videoKbps}k`],
  ]
  const codecs = [
    ...['-c:a', 'copy', '-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency'],
    ...['-pix_fmt', 'yuv420p', '-g', '50'],
    ...(profile ? ['-profile:v', profile] : []),
    ...(rate || []),
    ...(maxFrameRate ? ['-fpsmax', String(maxFrameRate)] : []),
  ]
  return { filters: resolution ? [`scale=${resolution.replace('x', ':')}`] : [], codecs }
}

/** `over` lies over the picture, which is then encoded anew. */
export function outputArguments(output: Output, over?: Overlaid): string[] {
  const { protocol, url, muxRateKbps, sourcePort } = output
  const { filters, codecs } = codingOf(output, over !== undefined)
  const start = [
    ...[...sinkInput, ...(over ? overlayInput(over) : []), '-progress', 'pipe:2'],
    ...[...pictureMapping(filters, over), '-map', '0:a:0?', ...codecs],
  ]
  const stream = ['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts']
  switch (protocol) {
    case 'srt':
      return [...start, ...stream, url]
    case 'rtmp':
      return [...start, '-flvflags', 'no_duration_filesize', '-f', 'flv', url]
    case 'rtsp':
      return [...start, '-f', 'rtsp', '-rtsp_transport', 'tcp', url]
    case 'mpegts': {
      const from = sourcePort ? withOption(url, `localport=${sourcePort}`) : url
      const constant = muxRateKbps ? ['-muxrate', `${muxRateKbps}k`] : []
      return [...start, ...constant, ...stream, withOption(from, 'pkt_size=1316')]
    }
  }
}

/** What every provider takes: H.264 with a key frame every two seconds, and AAC. */
function broadcastCoding({ videoKbps, height, title }: NonNullable<Output['broadcast']>): Coding {
  const codecs = [
    ...['-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-tune', 'zerolatency', '-force_key_frames', 'expr:gte(t,n_forced*2)'],
    ...['-b:v', `${videoKbps}k`, '-maxrate', `${videoKbps}k`, '-bufsize', `${2 * videoKbps}k`],
    ...['-c:a', 'aac', '-b:a', '128k', '-ar', '48000', '-metadata', `title=${title}`],
  ]
  return { filters: [`scale=-2:${height}`, 'format=yuv420p'], codecs }
}

const withOption = (url: string, option: string) =>
  url.includes(option.split('=')[0]!) ? url : `${url}${url.includes('?') ? '&' : '?'}${option}`

/** The sink sends to a relay on this machine, which sends on from the wanted port. */
function startRelayed(
  output: Output & { sourcePort: number },
  startSink: (near: Output) => FfmpegSink,
  log: Log,
): FfmpegSink {
  const url = new URL(output.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const relay = openPortRelay({ host, port: Number(url.port), sourcePort: output.sourcePort })
  let sink: FfmpegSink | undefined
  let isOver = false
  relay.ready.then(
    (port) => {
      url.host = `127.0.0.1:${port}`
      if (!isOver) sink = startSink({ ...output, url: url.href })
    },
    (error) => log.warn(error, 'the output is not sent'),
  )
  return {
    pid: () => sink?.pid(),
    isWriting: () => sink?.isWriting() ?? false,
    async stop() {
      isOver = true
      await sink?.stop()
      relay.close()
    },
  }
}

export interface Outputs {
  /** Starts what is new, stops what is gone; an output that changed, or over which another graphic lies, is both. */
  apply(wanted: readonly Output[], over?: Overlaid): void
  pids(): ReadonlyMap<string, number | undefined>
  /** Those that run, and whether whoever is sent to takes it. */
  states(): { id: string; sending: boolean }[]
  stop(): Promise<void>
}

export function createOutputs(options: { ffmpegPath: string; bus: TsBus; log: Log }): Outputs {
  const running = new Map<string, { id: string; sink: FfmpegSink }>()
  const keyOf = (output: Output, over: Overlaid | undefined) => JSON.stringify([output, over])

  function start(output: Output, over: Overlaid | undefined, log: Log): FfmpegSink {
    const startSink = (of: Output) =>
      startFfmpegSink({ ...options, args: () => outputArguments(of, over), log })
    const { protocol, sourcePort } = output
    // ffmpeg lets nobody choose from which port it dials by SRT.
    if (protocol === 'srt' && sourcePort) return startRelayed({ ...output, sourcePort }, startSink, log)
    return startSink(output)
  }

  return {
    apply(wanted, over) {
      const keys = new Set(wanted.map((output) => keyOf(output, over)))
      for (const [key, { sink }] of running) {
        if (keys.has(key)) continue
        running.delete(key)
        void sink.stop()
      }
      for (const output of wanted) {
        if (running.has(keyOf(output, over))) continue
        const log = options.log.child({ output: output.id })
        const problem = outputProblem(output)
        if (problem) {
          log.warn({ problem }, 'the output is not sent')
          continue
        }
        running.set(keyOf(output, over), { id: output.id, sink: start(output, over, log) })
      }
    },
    pids: () => new Map([...running.values()].map(({ id, sink }) => [id, sink.pid()])),
    states: () => [...running.values()].map(({ id, sink }) => ({ id, sending: sink.isWriting() })),
    async stop() {
      const sinks = [...running.values()]
      running.clear()
      await Promise.all(sinks.map(({ sink }) => sink.stop()))
    },
  }
}
