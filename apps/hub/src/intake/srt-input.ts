// Receives a standard encoder by SRT: ffmpeg listens, and admits senders that encrypt with the channel's passphrase.
import { freePort } from '../ports.ts'
import { createRefusals, GIVES_WAY_MS, type Input, type InputOptions } from './input.ts'
import { startKeyedListener } from './keyed-listener.ts'
import { hasNoStream, isSilent, srtArguments, srtScript } from './remux-arguments.ts'

const isRefusal = (line: string): boolean => /rsp\(REJECT\): 101[01]\b/.test(line)
const isPortTaken = (line: string): boolean => /Address already in use|another socket is already/i.test(line)

/**
 * Waits for a sender, takes its stream, and waits again when it has left. One that does not answer is gone after 5 s
 * (libsrt), one that is connected and sends nothing after `SILENT_MS`.
 */
export function startSrtInput(options: InputOptions): Input {
  const { ffmpegPath, onData, onGone, onMoved, log } = options
  const refusals = createRefusals()
  const unreadable = createRefusals()
  const mute = createRefusals()
  let { port } = options
  let readMs = Number.NEGATIVE_INFINITY
  let isTaken = false

  async function choosePort(): Promise<number> {
    if (!isTaken) return port
    const taken = port
    port = await freePort('srt')
    isTaken = false
    log.warn({ taken, port }, 'SRT port is taken by another program: the channel listens on another one')
    onMoved(port)
    return port
  }

  const listener = startKeyedListener({
    ffmpegPath,
    protocol: 'SRT',
    args: srtArguments(),
    choosePort,
    script: srtScript,
    onData(chunk) {
      readMs = performance.now()
      mute.clear()
      refusals.clear()
      unreadable.clear()
      onData(chunk)
    },
    onGone,
    onMessage(line) {
      isTaken ||= isPortTaken(line)
      if (hasNoStream(line) && unreadable.note())
        log.warn({ port }, 'SRT sender has neither a picture nor sound that can be read')
      if (isSilent(line) && mute.note())
        log.warn({ port }, 'SRT sender disconnected: it sends neither picture nor sound')
      if (isRefusal(line) && refusals.note())
        log.warn({ port }, 'SRT sender refused: its passphrase is not that of the channel')
    },
    log,
  })

  return {
    pid: listener.pid,
    problem() {
      if (refusals.isNews()) return 'wrongKey'
      if (unreadable.isNews()) return 'codec'
      const isQuiet = listener.hasStream() && performance.now() - readMs > GIVES_WAY_MS
      return isQuiet || mute.isNews() ? 'silent' : null
    },
    setKey: listener.setKey,
    stop: listener.stop,
  }
}
