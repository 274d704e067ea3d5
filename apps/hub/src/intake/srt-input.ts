// Receives a standard encoder by SRT: ffmpeg listens, and admits senders that encrypt with the channel's passphrase.
import { freePort } from '../ports.ts'
import { createRefusals, type Input, type InputOptions } from './input.ts'
import { startKeyedListener } from './keyed-listener.ts'
import { hasNoStream, srtArguments, srtScript } from './remux-arguments.ts'

const isRefusal = (line: string): boolean => /rsp\(REJECT\): 101[01]\b/.test(line)
const isPortTaken = (line: string): boolean => /Address already in use|another socket is already/i.test(line)

/** Waits for a sender, takes its stream, and waits again when it has left. A silent one is gone after 5 s (libsrt). */
export function startSrtInput(options: InputOptions): Input {
  const { ffmpegPath, onData, onGone, onMoved, log } = options
  const refusals = createRefusals()
  const unreadable = createRefusals()
  let { port } = options
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
      refusals.clear()
      unreadable.clear()
      onData(chunk)
    },
    onGone,
    onMessage(line) {
      isTaken ||= isPortTaken(line)
      if (hasNoStream(line) && unreadable.note())
        log.warn({ port }, 'SRT sender has neither a picture nor sound that can be read')
      if (isRefusal(line) && refusals.note())
        log.warn({ port }, 'SRT sender refused: its passphrase is not that of the channel')
    },
    log,
  })

  return {
    pid: listener.pid,
    problem: () => (refusals.isNews() ? 'wrongKey' : unreadable.isNews() ? 'codec' : null),
    setKey: listener.setKey,
    stop: listener.stop,
  }
}
