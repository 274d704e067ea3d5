// Receives a standard encoder by SRT: ffmpeg listens, and admits senders that encrypt with the channel's passphrase.
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { freePort } from '../ports.ts'
import { createRefusals, type Input, type InputOptions } from './input.ts'
import { srtArguments, srtScript } from './remux-arguments.ts'

/** After a sender left, the next one may come immediately; a listener that fails to start is retried less often. */
const AFTER_SENDER_MS = 200
const failureDelaysMs = [1000, 2000, 5000, 10_000]

const isRefusal = (line: string): boolean => /rsp\(REJECT\): 101[01]\b/.test(line)
const isPortTaken = (line: string): boolean => /Address already in use|another socket is already/i.test(line)

/** Waits for a sender, takes its stream, and waits again when it has left. A silent one is gone after 5 s (libsrt). */
export function startSrtInput(options: InputOptions): Input {
  const { ffmpegPath, onData, onGone, onMoved, log } = options
  const refusals = createRefusals()
  let { port } = options
  let key: string | undefined
  let child: SupervisedChild | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let stopping = false

  function launch(): void {
    const passphrase = key
    if (passphrase === undefined || stopping || child) return
    let hadSender = false
    let isTaken = false
    child = runFfmpeg({
      path: ffmpegPath,
      args: srtArguments(),
      onStdout(chunk) {
        if (!hadSender) log.info({ port }, 'SRT sender connected')
        hadSender = true
        refusals.clear()
        onData(chunk)
      },
      onMessage(line) {
        log.debug({ line: line.replaceAll(passphrase, '***') }, 'ffmpeg message')
        isTaken ||= isPortTaken(line)
        if (isRefusal(line) && refusals.note())
          log.warn({ port }, 'SRT sender refused: its passphrase is not that of the channel')
      },
      onExit({ code, signal, error }) {
        child = undefined
        if (hadSender) onGone()
        if (stopping) return
        failures = hadSender || passphrase !== key ? 0 : failures + 1
        const delayMs = failures === 0 ? AFTER_SENDER_MS : failureDelaysMs[Math.min(failures, 4) - 1]!
        if (hadSender) log.info({ port }, 'SRT sender disconnected')
        else if (passphrase === key) log.warn({ port, code, signal, error, delayMs }, 'SRT listener ended')
        timer = setTimeout(() => void again(isTaken), delayMs)
      },
    })
    child.write(Buffer.from(srtScript(port, passphrase)))
    child.endInput()
  }

  async function again(isTaken: boolean): Promise<void> {
    if (isTaken) {
      const taken = port
      port = await freePort('srt')
      log.warn({ taken, port }, 'SRT port is taken by another program: the channel listens on another one')
      onMoved(port)
    }
    launch()
  }

  return {
    pid: () => child?.pid(),
    problem: () => (refusals.isNews() ? 'wrongKey' : null),
    setKey(next) {
      if (next === key) return
      key = next
      if (child) void child.stop()
      else {
        clearTimeout(timer)
        launch()
      }
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
