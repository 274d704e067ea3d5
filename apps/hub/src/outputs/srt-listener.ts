// An SRT destination that readers call, several at once: a front on its UDP port gives each reader an ffmpeg of its own.
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { SRT_READERS } from '@backhaul/contract/nouns/destinations'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'
import type { ProgramCounts } from '../bus/program-counts.ts'
import type { SentOutput } from './output-arguments.ts'
import type { SinkState } from './output-state.ts'
import { cookieFor, inductionAnswer, isShutdown, NO_ROOM, readHandshake, refusalOf } from './srt-handshake.ts'
import { type SrtReader, startSrtReader } from './srt-reader.ts'

/** SRT sends something every second, even when there is nothing to send. */
const SILENT_MS = 5000
const CHECK_MS = 500
const MINUTE_MS = 60_000
/** A changed destination listens on the port of its predecessor, which needs time to close the connections of its readers. */
const HANDOVER = { tries: 12, everyMs: 300 } as const
const retryDelaysMs = [1000, 2000, 5000, 10_000]
const BUFFER_BYTES = 4 << 20

export interface SrtListenerOptions {
  output: SentOutput
  /** Coded as the destination requires it: each reader gets a copy. */
  bus: TsBus
  ffmpegPath: string
  optionsFolder: string
  state: SinkState
  counts: ProgramCounts
  log: Log
}

interface Caller {
  readonly name: string
  readonly reader: SrtReader
  isReading: boolean
  seenMs: number
}

/**
 * 1. The front answers the first packet of a caller itself, with a cookie, so that a forged address costs nothing.
 * 2. The second packet, with this cookie, attaches the caller to the spare ffmpeg, which listens already. As long as
 *    none does, the packet is dropped: callers repeat it several times a second. Beyond the limit they are refused.
 * 3. The packets of both are passed on unchanged, encrypted from end to end. Once the caller reads, another spare starts.
 * 4. A caller that closes the connection, is silent, or whose ffmpeg has ended, frees its place.
 */
export function startSrtListener(options: SrtListenerOptions) {
  const { output, state, log } = options
  const most = output.maxReaders ?? SRT_READERS.usual
  const port = Number(new URL(output.url).port)
  const secret = randomBytes(32)
  const callers = new Map<string, Caller>()
  const endings = new Set<Promise<void>>()
  let front: Socket | undefined
  /** Listens for the next caller, or is about to. */
  let spare: SrtReader | undefined
  let starting: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let bindings = 0
  /** The bytes sent to all readers. */
  let sentBytes = 0
  let isOver = false

  function retry(messages: readonly string[]): void {
    state.ended(messages)
    options.counts.restarts += 1
    clearTimeout(timer)
    timer = setTimeout(open, retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)])
  }

  function open(): void {
    if (isOver) return
    if (front) {
      state.started()
      prepare()
      return
    }
    const socket = createSocket('udp4')
    socket.on('error', (error) => {
      // Once it is bound, only a packet is lost.
      if (front === socket) return log.debug({ error: error.message }, 'SRT packet lost')
      socket.close()
      if (isOver) return
      if (++bindings > HANDOVER.tries) retry([error.message])
      else timer = setTimeout(open, HANDOVER.everyMs)
    })
    socket.on('message', receive)
    socket.bind({ port, address: '0.0.0.0', exclusive: true }, () => {
      if (isOver) return void socket.close()
      socket.setRecvBufferSize(BUFFER_BYTES)
      socket.setSendBufferSize(BUFFER_BYTES)
      front = socket
      state.started()
      prepare()
    })
  }

  /** Starts the next ffmpeg, unless one waits, a caller is on its way to one, or all places are taken. */
  function prepare(): void {
    const isCalling = [...callers.values()].some((one) => !one.isReading)
    if (isOver || starting || spare || isCalling || callers.size >= most) return
    starting = startReader()
      .catch((error: Error) => retry([error.message]))
      .finally(() => {
        starting = undefined
      })
  }

  async function startReader(): Promise<void> {
    const callerOf = () => [...callers.values()].find((one) => one.reader === reader)
    const reader: SrtReader = await startSrtReader({
      ...options,
      onListening() {
        failures = 0
      },
      onReading() {
        const caller = callerOf()
        if (caller) caller.isReading = true
        log.info({ caller: caller?.name, readers: callers.size }, 'SRT reader connected')
        prepare()
      },
      onSent(bytes) {
        sentBytes += bytes
        state.wrote(sentBytes)
      },
      onRefused() {
        const caller = callerOf()
        log.warn(
          { caller: caller?.name },
          'SRT reader refused: its pass phrase is not that of the destination',
        )
        if (caller) callers.delete(caller.name)
        spare = reader
      },
      onBehind: () => (options.counts.dropped += 1),
      onEnded(messages) {
        const caller = callerOf()
        if (caller) return forget(caller)
        if (spare !== reader || isOver) return
        spare = undefined
        retry(messages)
      },
    })
    if (isOver) await reader.stop()
    else spare = reader
  }

  function forget(caller: Caller): void {
    callers.delete(caller.name)
    if (isOver) return
    log.info({ caller: caller.name, readers: callers.size }, 'SRT reader gone')
    if (caller.isReading && countReaders() === 0) state.ended([])
    prepare()
  }

  function end(caller: Caller): void {
    forget(caller)
    const ending = caller.reader.stop()
    endings.add(ending)
    void ending.finally(() => endings.delete(ending))
  }

  function receive(packet: Buffer, from: RemoteInfo): void {
    const name = `${from.address}:${from.port}`
    const handshake = readHandshake(packet)
    if (handshake?.kind === 'induction') return void sendTo(from, inductionAnswer(packet, cookieOf(name)))
    const caller = callers.get(name)
    if (caller) {
      caller.seenMs = performance.now()
      caller.reader.take(packet)
      if (isShutdown(packet)) end(caller)
      return
    }
    if (handshake?.kind !== 'conclusion' || ![0, 1].some((ago) => handshake.cookie === cookieOf(name, ago)))
      return
    if (callers.size >= most) return void sendTo(from, refusalOf(packet, NO_ROOM))
    if (spare?.isListening()) attach(spare, name, packet, from)
  }

  function attach(reader: SrtReader, name: string, conclusion: Buffer, from: RemoteInfo): void {
    spare = undefined
    callers.set(name, { name, reader, isReading: false, seenMs: performance.now() })
    reader.attach(conclusion, (packet) => {
      sendTo(from, packet)
      const caller = callers.get(name)
      if (caller?.reader === reader && isShutdown(packet)) end(caller)
    })
  }

  const countReaders = () => [...callers.values()].filter(({ isReading }) => isReading).length
  const cookieOf = (name: string, minutesAgo = 0) =>
    cookieFor(secret, name, Math.floor(performance.now() / MINUTE_MS) - minutesAgo)
  const sendTo = ({ port: to, address }: RemoteInfo, packet: Buffer) => front?.send(packet, to, address)

  const watch = setInterval(() => {
    for (const caller of [...callers.values()]) if (performance.now() - caller.seenMs > SILENT_MS) end(caller)
  }, CHECK_MS)
  open()
  return {
    pid: () => [...callers.values()].at(-1)?.reader.pid() ?? spare?.pid(),
    readers: countReaders,
    async stop() {
      isOver = true
      clearInterval(watch)
      clearTimeout(timer)
      const readers = [...callers.values()].map(({ reader }) => reader)
      await Promise.all([...endings, ...readers.map((reader) => reader.stop()), starting, spare?.stop()])
      front?.close()
      front = undefined
    },
  }
}
