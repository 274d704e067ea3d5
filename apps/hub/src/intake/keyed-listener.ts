// ffmpeg that listens for a standard encoder with the channel's key, and is started again when it has ended.
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'

/** After a sender left, the next one may come immediately; a listener that fails to start is retried less often. */
const AFTER_SENDER_MS = 200
/** A listener that ran for this long did start. */
const STARTED_MS = 5000
const failureDelaysMs = [1000, 2000, 5000, 10_000]

export interface KeyedListenerOptions {
  ffmpegPath: string
  /** The name of the protocol in the log. */
  protocol: 'SRT' | 'RIST'
  args: readonly string[]
  /** Requested before each start. */
  choosePort(): Promise<number>
  /** Goes to the standard input of ffmpeg: other users see the arguments of a program. */
  script(port: number, key: string): string
  onData: (chunk: Buffer) => void
  /** The sender left. */
  onGone: () => void
  onMessage: (line: string) => void
  log: Log
}

export interface KeyedListener {
  pid(): number | undefined
  /** The port on which ffmpeg listens. */
  port(): number | undefined
  /** Whether the sender's stream is read. */
  hasStream(): boolean
  setKey(key: string | undefined): void
  /** Disconnects the sender. */
  restart(): void
  stop(): Promise<void>
}

export function startKeyedListener(options: KeyedListenerOptions): KeyedListener {
  const { ffmpegPath, protocol, args, choosePort, script, onData, onGone, onMessage, log } = options
  let key: string | undefined
  let child: SupervisedChild | undefined
  let port: number | undefined
  let timer: NodeJS.Timeout | undefined
  let hasStream = false
  let failures = 0
  let stopping = false

  async function launch(): Promise<void> {
    const chosen = await choosePort()
    const present = key
    if (present === undefined || stopping || child) return
    port = chosen
    const startedMs = performance.now()
    child = runFfmpeg({
      path: ffmpegPath,
      args,
      onStdout(chunk) {
        if (!hasStream) log.info({ port }, `${protocol} sender connected`)
        hasStream = true
        onData(chunk)
      },
      onMessage(line) {
        log.debug({ line: line.replaceAll(present, '***') }, 'ffmpeg message')
        onMessage(line)
      },
      onExit({ code, signal, error }) {
        const hadStream = hasStream
        child = undefined
        hasStream = false
        if (hadStream) onGone()
        if (stopping) return
        const didStart = hadStream || performance.now() - startedMs > STARTED_MS
        failures = didStart || present !== key ? 0 : failures + 1
        const delayMs = failures === 0 ? AFTER_SENDER_MS : failureDelaysMs[Math.min(failures, 4) - 1]!
        if (hadStream) log.info({ port }, `${protocol} sender disconnected`)
        else if (present === key)
          log.warn({ port, code, signal, error, delayMs }, `${protocol} listener ended`)
        timer = setTimeout(() => void launch(), delayMs)
      },
    })
    child.write(Buffer.from(script(chosen, present)))
    child.endInput()
  }

  return {
    pid: () => child?.pid(),
    port: () => (child ? port : undefined),
    hasStream: () => hasStream,
    setKey(next) {
      if (next === key) return
      key = next
      if (child) void child.stop()
      else {
        clearTimeout(timer)
        void launch()
      }
    },
    restart: () => void child?.stop(),
    async stop() {
      stopping = true
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
