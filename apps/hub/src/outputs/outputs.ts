// Sends what a channel receives to other places, each by a program of its own.
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { Output } from '@backhaul/contract/gateway/servers'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { redactSecrets } from '@backhaul/runtime/redact'
import { steadyMs } from '@backhaul/runtime/signed-requests'
import { type FfmpegSink, startFfmpegSink } from '../bus/ffmpeg-sink.ts'
import type { ProgramCounts } from '../bus/program-counts.ts'
import type { HlsStreams } from '../hls/hls-streams.ts'
import { isListener, ownNetworkRefusal } from '../own-network-rule.ts'
import { splitCredentials } from './credentials.ts'
import { startHlsOutput } from './hls-output.ts'
import { isSent, outputArguments, type SentOutput, suitsProtocol } from './output-arguments.ts'
import { withoutSecrets, writeOptions } from './output-secrets.ts'
import { codeOf, createSinkState, type SinkState } from './output-state.ts'
import type { Overlaid } from './overlay.ts'
import { openPortRelay } from './port-relay.ts'
import { type SignIn, signInAt } from './sign-in.ts'
import { startSrtOutput } from './srt-output.ts'

interface Sink extends Pick<FfmpegSink, 'pid' | 'stop'> {
  /** The number of readers, of an output that others fetch. */
  readers?(): number
}

/** The sink sends to a relay on this machine, which sends on from the wanted port. */
function startRelayed(
  output: SentOutput & { sourcePort: number },
  startSink: (near: SentOutput) => Sink,
  onFailed: (error: Error) => void,
): Sink {
  const url = new URL(output.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const relay = openPortRelay({ host, port: Number(url.port), sourcePort: output.sourcePort })
  let sink: Sink | undefined
  let isOver = false
  relay.ready.then((port) => {
    url.host = `127.0.0.1:${port}`
    if (!isOver) sink = startSink({ ...output, url: url.href })
  }, onFailed)
  return {
    pid: () => sink?.pid(),
    async stop() {
      isOver = true
      await sink?.stop()
      relay.close()
    },
  }
}

const nothing: Sink = { pid: () => undefined, stop: () => Promise.resolve() }

export interface Outputs {
  /** Starts what is new, stops what is gone, and restarts an output that changed or has another graphic. */
  apply(wanted: readonly Output[], over?: Overlaid): void
  pids(): ReadonlyMap<string, number | undefined>
  /** The state of each wanted output. */
  states(): OutputStatus[]
  stop(): Promise<void>
}

export interface OutputsOptions {
  ffmpegPath: string
  bus: TsBus
  /** Folder of the option files with secrets while a program starts. */
  optionsFolder: string
  /** Whether a destination may lead into the network of the operator. */
  mayStreamToOwnNetwork: boolean
  /** The address at which players fetch HLS; undefined on a hub without a door for them. */
  hls: HlsStreams | undefined
  counts: ProgramCounts
  log: Log
}

interface Running {
  readonly id: string
  readonly sink: Sink
  readonly state: SinkState
}

export function createOutputs(options: OutputsOptions): Outputs {
  const { ffmpegPath, bus, optionsFolder, counts } = options
  const running = new Map<string, Running>()
  const keyOf = (output: Output, over: Overlaid | undefined) => JSON.stringify([output, over])

  /** `to` is the final address: a relay is on this machine. */
  function startSink(
    output: SentOutput,
    over: Overlaid | undefined,
    state: SinkState,
    log: Log,
    to = output.url,
  ): Sink {
    const { secrets } = withoutSecrets(output.url)
    const needsSignIn = splitCredentials(output.url).credentials !== undefined
    let way: SignIn | undefined
    let file: ReturnType<typeof writeOptions> | undefined
    let isOver = false

    /** Why ffmpeg must not be started, or could not sign in. */
    async function refusal(): Promise<PlainCode | undefined> {
      const closed = options.mayStreamToOwnNetwork ? undefined : await ownNetworkRefusal(to)
      if (closed !== undefined || !needsSignIn) return closed
      try {
        way = await signInAt(output)
        if (isOver) way.close()
        return undefined
      } catch (error) {
        const line = redactSecrets((error as Error).message, secrets)
        log.warn({ line }, 'sign-in failed')
        return codeOf(line) ?? 'output.closed'
      }
    }

    function tidy(): void {
      file?.remove()
      way?.close()
    }

    const sink = startFfmpegSink({
      ffmpegPath,
      bus,
      secrets,
      ...((needsSignIn || !options.mayStreamToOwnNetwork) && { refusal }),
      args() {
        const open = withoutSecrets(way?.url ?? output.url, way?.proof)
        file = open.options.length > 0 ? writeOptions(optionsFolder, open.options) : undefined
        return outputArguments({ ...output, url: open.url }, over, file?.path)
      },
      onRefused: state.refused,
      onStarted: state.started,
      onWrote(sizeBytes) {
        file?.remove()
        state.wrote(sizeBytes)
      },
      onEnded(messages) {
        const problem = way?.problem()
        tidy()
        state.ended(problem === undefined ? messages : [...messages, problem])
      },
      counts,
      log,
    })
    return {
      pid: sink.pid,
      async stop() {
        isOver = true
        await sink.stop()
        tidy()
      },
    }
  }

  function startFetched(output: Output, over: Overlaid | undefined, state: SinkState, log: Log): Sink {
    if (options.hls)
      return startHlsOutput({ output, over, ffmpegPath, bus, streams: options.hls, state, counts, log })
    state.refused('output.notServed')
    return nothing
  }

  function start(output: Output, over: Overlaid | undefined): Running {
    const { id, protocol, sourcePort, url } = output
    const log = options.log.child({ output: id })
    const state = createSinkState({ nowMs: Date.now, steadyMs, isListener: isListener(url) })
    if (!suitsProtocol(output)) {
      log.warn({ protocol }, 'output not started: its address is of another protocol')
      state.refused('destination.unsuitable')
      return { id, sink: nothing, state }
    }
    if (!isSent(output)) return { id, sink: startFetched(output, over, state, log), state }
    if (protocol === 'srt' && isListener(url)) {
      const shared = { ffmpegPath, bus, optionsFolder, counts }
      return { id, sink: startSrtOutput({ ...shared, output, over, state, log }), state }
    }
    // ffmpeg has no option for the source port of an SRT caller.
    if (protocol !== 'srt' || !sourcePort) return { id, sink: startSink(output, over, state, log), state }
    const sink = startRelayed(
      { ...output, sourcePort },
      (near) => startSink(near, over, state, log, url),
      (error) => {
        log.warn(error, 'output could not be started')
        state.ended([error.message])
      },
    )
    return { id, sink, state }
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
        const key = keyOf(output, over)
        if (!running.has(key)) running.set(key, start(output, over))
      }
    },
    pids: () => new Map([...running.values()].map(({ id, sink }) => [id, sink.pid()])),
    states: () =>
      [...running.values()].map(({ id, sink, state }) => {
        const readers = sink.readers?.()
        return { id, ...state.read(), ...(readers !== undefined && { readers }) }
      }),
    async stop() {
      const sinks = [...running.values()]
      running.clear()
      await Promise.all(sinks.map(({ sink }) => sink.stop()))
    },
  }
}
