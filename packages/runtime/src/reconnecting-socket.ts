import { WebSocket } from 'ws'
import { type Clock, systemClock, type Timer } from './clock.ts'

const firstDelayMs = 1000
/** A control room waits for its fleet after a restart of core, so the pauses are short. */
const longestDelayMs = 10_000
export const stableAfterMs = 5000
const pingPeriodMs = 15_000
const missesUntilDead = 2
const dialTimeoutMs = 10_000

/** Address and token; read at every dial, since tokens change. */
export interface Dial {
  url: string
  headers?: Record<string, string>
}

export interface SocketClosed {
  /** WebSocket close code; 1006 when the connection broke or was never made. */
  code: number
  reason: string
  /** The answer to the upgrade when the server refused it, for instance 401. */
  httpStatus?: number
}

export interface ReconnectingSocketOptions {
  dial: () => Dial | Promise<Dial>
  onOpen: () => void
  /** One text message; binary messages are passed on as text. */
  onMessage: (text: string) => void
  /** After every lost connection and every failed dial; the next dial follows by itself. */
  onClose: (closed: SocketClosed) => void
  maxPayloadBytes?: number
  clock?: Clock
  random?: () => number
}

export interface ReconnectingSocket {
  /** Sends a value as JSON; false (and nothing is kept) while the connection is not open. */
  send(value: unknown): boolean
  isOpen(): boolean
  /** Bytes accepted by send and not yet written to the network. */
  backlogBytes(): number
  /** Drops the present connection and dials again, for instance with a new token. */
  redial(): void
  /** Closes permanently; no event follows. */
  close(): void
}

/** Delay before dial number `failures` (1 = first retry): 1 s doubling to 10 s, of which half is random. */
export function redialDelayMs(failures: number, random: number): number {
  const fullMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(10, failures - 1))
  return Math.round(fullMs * (1 - random / 2))
}

/** A WebSocket client that is always either connected or connecting. */
export function createReconnectingSocket(options: ReconnectingSocketOptions): ReconnectingSocket {
  const { clock = systemClock, random = Math.random, maxPayloadBytes = 1 << 20 } = options
  let socket: WebSocket | undefined
  let closedForGood = false
  let failures = 0
  let redialTimer: Timer | undefined

  function lost(closed: SocketClosed, openedAtMs: number | undefined): void {
    socket = undefined
    if (closedForGood) return
    if (openedAtMs !== undefined && clock.monotonicMs() - openedAtMs >= stableAfterMs) failures = 0
    failures++
    redialTimer = clock.setTimeout(() => void dialAgain(), redialDelayMs(failures, random()))
    options.onClose(closed)
  }

  async function dialAgain(): Promise<void> {
    try {
      const dial = await options.dial()
      if (!closedForGood) socket = connect(dial, maxPayloadBytes, clock, options, lost)
    } catch (error) {
      lost({ code: 1006, reason: error instanceof Error ? error.message : String(error) }, undefined)
    }
  }

  void dialAgain()
  return {
    send(value) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      socket.send(JSON.stringify(value))
      return true
    },
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    backlogBytes: () => socket?.bufferedAmount ?? 0,
    redial() {
      failures = 0
      socket?.terminate()
    },
    close() {
      closedForGood = true
      clock.clearTimeout(redialTimer)
      socket?.close(1000)
      const closing = socket
      clock.setTimeout(() => closing?.terminate(), 1000)
    },
  }
}

function connect(
  { url, headers }: Dial,
  maxPayload: number,
  clock: Clock,
  { onOpen, onMessage }: ReconnectingSocketOptions,
  lost: (closed: SocketClosed, openedAtMs: number | undefined) => void,
): WebSocket {
  const socket = new WebSocket(url, {
    headers: headers ?? {},
    maxPayload,
    perMessageDeflate: false,
    handshakeTimeout: dialTimeoutMs,
  })
  let openedAtMs: number | undefined
  let httpStatus: number | undefined
  let failure = ''
  let misses = 0
  let pings: Timer | undefined

  socket.on('open', () => {
    openedAtMs = clock.monotonicMs()
    pings = clock.setInterval(() => {
      if (misses >= missesUntilDead) {
        failure = `no answer to ${missesUntilDead} pings`
        socket.terminate()
        return
      }
      misses++
      socket.ping()
    }, pingPeriodMs)
    onOpen()
  })
  // Small messages must be sent immediately: Nagle would hold a status back for the acknowledgement of the previous one.
  socket.on('upgrade', (response) => response.socket.setNoDelay(true))
  socket.on('unexpected-response', (_request, response) => {
    httpStatus = response.statusCode
    failure = `the server answered ${httpStatus}`
    socket.terminate()
  })
  socket.on('pong', () => {
    misses = 0
  })
  socket.on('message', (data) => {
    misses = 0
    onMessage(data.toString())
  })
  socket.on('error', (error) => {
    failure ||= error.message
  })
  socket.on('close', (code, reason) => {
    clock.clearInterval(pings)
    const closed: SocketClosed = { code, reason: reason.toString() || failure }
    if (httpStatus !== undefined) closed.httpStatus = httpStatus
    lost(closed, openedAtMs)
  })
  return socket
}
