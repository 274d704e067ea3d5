// Receives a standard encoder by RTMP: admits senders with the channel's stream key, one at a time.
import { createServer, type Socket } from 'node:net'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { holdTcpPort } from '../../ports.ts'
import {
  createRefusals,
  GIVES_WAY_MS,
  type Input,
  type InputOptions,
  isSameKey,
  SILENT_MS,
} from '../input.ts'
import { flvArguments, matroskaArguments } from '../remux-arguments.ts'
import type { RtmpMessage } from './chunks.ts'
import { type Admission, type RtmpConnection, serveRtmp } from './connection.ts'
import { enhancedCodec } from './flv.ts'
import { createSenderFormat, type Format, HEVC, type SenderFormat } from './sender-format.ts'

/** The application that senders name, in addition to their stream key. */
export const RTMP_APP = 'live'

/** Limit for a connection that does not publish. */
const NAMES_WITHIN_MS = 5000
const CHECK_MS = 500
const MOST_CONNECTIONS = 32

export interface RtmpInputOptions extends InputOptions {
  /** ffmpeg reads AV1 in enhanced RTMP. HEVC is read in any case. */
  hasEnhancedFlv: boolean
}

interface Publisher {
  connection: RtmpConnection
  /** The remote address, for the log. */
  from: string
  child: SupervisedChild | undefined
  format: SenderFormat
  receivedMs: number
  /** A codec that cannot be read. */
  strange: string | undefined
}

export function startRtmpInput(options: RtmpInputOptions): Input {
  const { ffmpegPath, onData, onGone, onMoved, hasEnhancedFlv, log } = options
  const refusals = createRefusals()
  const sockets = new Set<Socket>()
  const endings = new Set<Promise<void>>()
  let { port } = options
  let key: string | undefined
  let publisher: Publisher | undefined

  function end(ending: Publisher, why: string): void {
    if (publisher !== ending) return
    publisher = undefined
    ending.connection.close()
    log.info({ port, from: ending.from, why }, 'RTMP sender disconnected')
    stopReading(ending)
    onGone()
  }

  function stopReading(of: Publisher): void {
    const stopped = of.child?.stop()
    of.child = undefined
    if (!stopped) return
    endings.add(stopped)
    void stopped.finally(() => endings.delete(stopped))
  }

  function admit(connection: RtmpConnection, from: string, app: string, streamKey: string): Admission {
    if (app !== RTMP_APP || !isSameKey(streamKey, key)) {
      if (refusals.note())
        log.warn({ port, from }, 'RTMP sender refused: its stream key is not that of the channel')
      return 'wrongKey'
    }
    if (publisher && performance.now() - publisher.receivedMs < GIVES_WAY_MS) {
      log.warn({ port, from, holder: publisher.from }, 'RTMP sender refused: another one is sending')
      return 'busy'
    }
    if (publisher) end(publisher, 'silent, and another sender came')
    refusals.clear()
    const receivedMs = performance.now()
    publisher = {
      connection,
      from,
      child: undefined,
      format: createSenderFormat(),
      receivedMs,
      strange: undefined,
    }
    log.info({ port, from }, 'RTMP sender connected')
    return 'taken'
  }

  function read(of: Publisher, format: Format): void {
    stopReading(of)
    const child = runFfmpeg({
      path: ffmpegPath,
      args: format === 'flv' ? flvArguments() : matroskaArguments(),
      onStdout(chunk) {
        if (publisher === of && of.child === child) onData(chunk)
      },
      onMessage: (line) => log.debug({ line }, 'ffmpeg message'),
      onExit() {
        if (of.child === child) end(of, 'its stream could not be read any more')
      },
    })
    of.child = child
  }

  function take(of: Publisher, message: RtmpMessage): void {
    of.receivedMs = performance.now()
    const codec = enhancedCodec(message)
    if (codec !== undefined && codec !== HEVC && !hasEnhancedFlv) {
      if (of.strange === undefined)
        log.warn(
          { port, from: of.from, codec },
          'RTMP sender uses a codec that this ffmpeg cannot read: send H.264 or HEVC',
        )
      of.strange = codec
      return
    }
    const formatted = of.format.push(message)
    if (!formatted) return
    if (formatted.isNew) read(of, formatted.format)
    of.child?.write(formatted.bytes)
  }

  function serve(socket: Socket): void {
    if (sockets.size >= MOST_CONNECTIONS) return void socket.destroy()
    sockets.add(socket)
    const from = `${socket.remoteAddress}:${socket.remotePort}`
    const connection = serveRtmp({
      socket,
      admit: (app, streamKey) => admit(connection, from, app, streamKey),
      onMedia(message) {
        if (publisher?.connection === connection) take(publisher, message)
      },
      onClosed() {
        clearTimeout(deadline)
        sockets.delete(socket)
        if (publisher?.connection === connection) end(publisher, 'closed by the sender')
      },
    })
    const deadline = setTimeout(() => {
      if (connection.isPublishing()) return
      log.info({ port, from }, 'RTMP connection closed: it did not publish in time')
      connection.close()
    }, NAMES_WITHIN_MS)
  }

  const watch = setInterval(() => {
    if (publisher && performance.now() - publisher.receivedMs > SILENT_MS) end(publisher, 'silent')
  }, CHECK_MS)
  const server = createServer(serve)
  const holding = holdTcpPort(server, port, log).then((held) => {
    if (held === undefined || held === port) return
    log.warn(
      { taken: port, port: held },
      'RTMP port is taken by another program: the channel listens on another one',
    )
    port = held
    onMoved(port)
  })

  return {
    pid: () => publisher?.child?.pid(),
    problem() {
      if (publisher?.strange !== undefined) return 'codec'
      if (publisher && performance.now() - publisher.receivedMs > GIVES_WAY_MS) return 'silent'
      return refusals.isNews() ? 'wrongKey' : null
    },
    setKey(next) {
      if (next === key) return
      key = next
      if (publisher) end(publisher, 'the stream key was changed')
    },
    async stop() {
      clearInterval(watch)
      await holding
      for (const socket of sockets) socket.destroy()
      if (publisher) end(publisher, 'the hub stops')
      await Promise.all([...endings, new Promise((done) => server.close(done))])
    },
  }
}
