// Receives one bonded transport stream: RIST Simple Profile on an even port (media) and the port above (control).
import { checkBufferMs } from './clock.ts'
import { createDueTurns } from './due-turns.ts'
import { checkMediaPort } from './link-socket.ts'
import { bindPortPair } from './port-pair.ts'
import { ReceiverFlow, type ReceiverSession, type ReceiverStats } from './receiver-flow.ts'

export type ReceiverOptions = ReceiverSession & {
  bindHost: string
  /** Even; the next port is used too. 0 takes any free pair. */
  port: number
  /** Delay between the fastest way and the output: the time for repairs. */
  bufferMs: number
}

export type Receiver = {
  /** The media port in use. */
  readonly port: number
  /** Payloads in order, normally 1316 bytes of whole TS packets. Returns the function that unsubscribes. */
  onData(listener: (payload: Uint8Array) => void): () => void
  stats(): ReceiverStats
  /** The delay follows at half speed up and a quarter down, without a break in the output. */
  setBufferMs(bufferMs: number): void
  /** Switches to another session; packets of the old one are dropped and the counts start again. */
  setSession(session: ReceiverSession): void
  close(): Promise<void>
}

/**
 * Bonded receiver, VSF TR-06-1 (RIST Simple Profile).
 *
 * Only the session's SSRC is accepted (from its id, or given); with a key, only datagrams sealed with it. Everything
 * else counts as rejected and gets no answer. RTCP is answered to its source address, so senders may be behind NAT.
 * With neither id nor SSRC the first sender is accepted, until it has been silent for 3 s (librist senders).
 *
 * Resolves when both ports are bound; rejects with the system's error when they are not free.
 * @throws RangeError for a bad key, buffer or port.
 */
export async function createReceiver(options: ReceiverOptions): Promise<Receiver> {
  checkBufferMs(options.bufferMs)
  if (options.port !== 0) checkMediaPort('port', options.port)
  const listeners = new Set<(payload: Uint8Array) => void>()
  const pair = await bindPortPair(options.bindHost, options.port)
  const flow = new ReceiverFlow({
    sessionId: options.sessionId,
    ssrc: options.ssrc,
    key: options.key,
    bufferMs: options.bufferMs,
    // A lost or unreachable sender is not an error of the receiver: its silence shows in the statistics.
    transmit: (to, datagram) => pair.control.send(datagram, to.port, to.address),
    deliver(payload) {
      for (const listener of listeners) listener(payload)
    },
  })
  const turns = createDueTurns((nowMs) => {
    flow.tick(nowMs)
    turns.at(flow.dueMs())
  })
  pair.media.on('message', (datagram, from) => {
    flow.receiveMedia(datagram, from, performance.now())
    turns.at(flow.dueMs())
  })
  pair.control.on('message', (datagram, from) => {
    flow.receiveControl(datagram, from, performance.now())
    turns.at(flow.dueMs())
  })
  for (const socket of [pair.media, pair.control]) socket.on('error', () => {})

  return {
    port: pair.port,
    onData(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stats: () => flow.stats(performance.now()),
    setBufferMs(bufferMs) {
      checkBufferMs(bufferMs)
      flow.setBufferMs(bufferMs)
    },
    setSession: (session) => flow.setSession(session),
    async close() {
      turns.end()
      listeners.clear()
      await Promise.all(
        [pair.media, pair.control].map((socket) => new Promise<void>((done) => socket.close(() => done()))),
      )
    },
  }
}
