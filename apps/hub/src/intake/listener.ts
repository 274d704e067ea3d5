import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { type ListenerProtocol, listenerArguments } from './listener-arguments.ts'

/** After a sender left, the next one may come at once; a listener that never gets going is not tried so often. */
const AFTER_SENDER_MS = 200
const failureDelaysMs = [1000, 2000, 5000, 10_000]

export interface Listener {
  pid(): number | undefined
  stop(): Promise<void>
}

export interface ListenerOptions {
  ffmpegPath: string
  protocol: ListenerProtocol
  port: number
  onData: (chunk: Buffer) => void
  /** The sender left. */
  onGone: () => void
  log: Log
}

/** Waits for a sender, takes its stream, and waits again when it has left. */
export function startListener({
  ffmpegPath,
  protocol,
  port,
  onData,
  onGone,
  log,
}: ListenerOptions): Listener {
  let child: SupervisedChild | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let stopping = false

  function launch(): void {
    let hadSender = false
    child = runFfmpeg({
      path: ffmpegPath,
      args: listenerArguments(protocol, port),
      onStdout(chunk) {
        if (!hadSender) log.info({ protocol, port }, 'a sender is there')
        hadSender = true
        onData(chunk)
      },
      onMessage: (line) => log.debug({ line }, 'ffmpeg says'),
      onExit({ code, signal, error }) {
        child = undefined
        if (hadSender) onGone()
        if (stopping) return
        failures = hadSender ? 0 : failures + 1
        const delayMs = hadSender
          ? AFTER_SENDER_MS
          : failureDelaysMs[Math.min(failures, failureDelaysMs.length) - 1]!
        if (hadSender) log.info({ protocol, port }, 'the sender left')
        else log.warn({ protocol, port, code, signal, error, delayMs }, 'the listener ended')
        timer = setTimeout(launch, delayMs)
      },
    })
  }

  launch()
  return {
    pid: () => child?.pid(),
    async stop() {
      stopping = true
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
