// One ffmpeg that listens on this machine for one reader of an SRT destination, and checks the reader's pass phrase.
import { createSocket } from 'node:dgram'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import { redactSecrets } from '@backhaul/runtime/redact'
import { freePort } from '../ports.ts'
import { DATAGRAM_BYTES, passOnArguments, type SentOutput } from './output-arguments.ts'
import { withoutSecrets, writeOptions } from './output-secrets.ts'
import { inductionOf, isData, probe, readHandshake, withCookie } from './srt-handshake.ts'

const PROBE_MS = 100
const GATHER_MS = 20
/** A reader that was behind for this long does not take the stream any more. */
const STUCK_AFTER_MS = 10_000
const MESSAGES_KEPT = 8
/** ffmpeg opens its output once it has read something: packets without content, which receivers leave out. */
const emptyPackets = Buffer.alloc(
  DATAGRAM_BYTES,
  Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]),
)

/**
 * 1. starting: it does not listen yet;
 * 2. listening: it waits for a reader;
 * 3. calling: a reader was attached, and is fed from the newest key frame on;
 * 4. reading: it has got a part of the stream.
 * A refused pass phrase leads from 3 back to 2. Any other end of the connection ends the program.
 */
export interface SrtReader {
  pid(): number | undefined
  isListening(): boolean
  /** `answer` gets the packets for the caller, whose second packet is `conclusion`. */
  attach(conclusion: Buffer, answer: (packet: Buffer) => void): void
  /** A packet of the attached caller. */
  take(packet: Buffer): void
  stop(): Promise<void>
}

export interface SrtReaderOptions {
  /** A listener; its address is replaced. */
  output: SentOutput
  ffmpegPath: string
  bus: TsBus
  optionsFolder: string
  onListening: () => void
  /** The first part of the stream has gone to the caller. */
  onReading: () => void
  /** It has received more: the number of bytes. */
  onSent: (bytes: number) => void
  /** The pass phrase of the caller was refused: the reader listens again. */
  onRefused: () => void
  onBehind: () => void
  /** `messages` are the last of the program, without secrets. */
  onEnded: (messages: readonly string[]) => void
  log: Log
}

export async function startSrtReader(options: SrtReaderOptions): Promise<SrtReader> {
  const { ffmpegPath, bus, log } = options
  const port = await freePort('srt')
  const url = new URL(options.output.url)
  url.host = `127.0.0.1:${port}`
  const { secrets, url: open, options: hidden } = withoutSecrets(url.href)
  const file = hidden.length > 0 ? writeOptions(options.optionsFolder, hidden) : undefined
  const near = createSocket('udp4')
  let state: 'starting' | 'listening' | 'calling' | 'reading' = 'starting'
  let conclusion: Buffer | undefined
  let cookie: number | undefined
  let answer = (_packet: Buffer) => {}
  const messages: string[] = []

  const send = (packet: Buffer) => near.send(packet, port, '127.0.0.1')
  const child = runFfmpeg({
    path: ffmpegPath,
    args: passOnArguments(open, file?.path),
    onMessage(message) {
      const line = redactSecrets(message, secrets)
      messages.push(line)
      if (messages.length > MESSAGES_KEPT) messages.shift()
      log.info({ line }, 'ffmpeg message')
    },
    onExit() {
      clearInterval(probing)
      leave()
      file?.remove()
      near.close()
      options.onEnded(messages)
    },
  })
  const feed = () =>
    feedChild({
      bus,
      child,
      gatherMs: GATHER_MS,
      onBehind(forMs) {
        if (forMs === 0) options.onBehind()
        if (forMs > STUCK_AFTER_MS) void child.stop()
      },
    })
  let leave = () => {}
  child.write(emptyPackets)
  const probing = setInterval(() => send(probe()), PROBE_MS)

  function listen(): void {
    clearInterval(probing)
    file?.remove()
    leave()
    state = 'listening'
    conclusion = undefined
    cookie = undefined
    answer = () => {}
  }

  function receive(packet: Buffer): void {
    const handshake = readHandshake(packet)
    if (state === 'starting') {
      if (handshake?.kind !== 'induction') return
      listen()
      options.onListening()
      return
    }
    if (state === 'listening') return
    if (handshake?.kind === 'induction') {
      cookie = handshake.cookie
      if (conclusion) send(withCookie(conclusion, cookie))
      return
    }
    answer(packet)
    if (handshake?.kind === 'refusal' && state === 'calling') {
      listen()
      options.onRefused()
      return
    }
    if (!isData(packet)) return
    if (state === 'calling') {
      state = 'reading'
      options.onReading()
    }
    options.onSent(packet.length)
  }

  near.on('message', (packet, from) => {
    if (from.port === port) receive(packet)
  })
  // A packet that cannot be sent is lost, as on any network.
  near.on('error', (error) => log.debug({ error: error.message }, 'SRT packet lost'))
  near.bind({ port: 0, address: '127.0.0.1', exclusive: true })
  return {
    pid: child.pid,
    isListening: () => state === 'listening',
    attach(second, to) {
      state = 'calling'
      conclusion = second
      answer = to
      leave = feed()
      send(inductionOf(second))
    },
    take(packet) {
      if (readHandshake(packet)?.kind !== 'conclusion') return send(packet)
      conclusion = packet
      send(cookie === undefined ? inductionOf(packet) : withCookie(packet, cookie))
    },
    async stop() {
      clearInterval(probing)
      await child.stop()
    },
  }
}
