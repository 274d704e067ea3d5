// Sends one transport stream to a receiver that calls: it opens the ways, over all its links, and media takes them back.
import type { RemoteInfo } from 'node:dgram'
import { checkBufferMs } from './clock.ts'
import { createDueTurns } from './due-turns.ts'
import { bindPort } from './port-pair.ts'
import type { SenderStats } from './sender.ts'
import { SenderFlow } from './sender-flow.ts'

const SOCKET_BUFFER_BYTES = 4 << 20
/** A link that has not called for this long is forgotten; the next call adds it again. */
const FORGET_AFTER_MS = 30_000

/** Who may call. */
export type CalledSession = {
  sessionId: string
  /** 32 bytes: a call is accepted only with it, and media is readable only with it. */
  key: Uint8Array
  /** The time for which a packet may be requested again; the receiver's buffer or more. */
  bufferMs: number
  /** First estimate for each link. */
  startKbps?: number
}

export type CalledSenderStats = Omit<SenderStats, 'links'> & {
  links: Omit<SenderStats['links'][number], 'error'>[]
  /** The rate that the limits allow on the links that are up, kilobits per second; Infinity where one of them has none. */
  limitKbps: number
}

export type CalledSender = {
  /** The only port: media and control of all links. */
  readonly port: number
  /** Without a session no call is answered. The counts start again with each one. */
  setSession(session: CalledSession | undefined): void
  setBufferMs(bufferMs: number): void
  /** Bytes of an MPEG-TS, any number at a time. */
  push(tsBytes: Uint8Array): void
  /** Undefined without a session. */
  stats(): CalledSenderStats | undefined
  close(): Promise<void>
}

type Caller = Pick<RemoteInfo, 'address' | 'port'> & { heardMs: number }
type Served = { flow: SenderFlow; callers: Map<string, Caller> }

/**
 * The other direction of the bond, for receivers behind a NAT: each of their links calls this port with signed RTCP
 * that names the link (receiver-flow.ts), and is answered where its newest call came from. Everything else is as in
 * `createSender`, except that media and control share a port, so that a link needs one way through a NAT, not two.
 *
 * Resolves when the port is bound; rejects with the system's error when it is not free.
 */
export async function createCalledSender(options: {
  bindHost: string
  /** 0 takes any free one. */
  port: number
}): Promise<CalledSender> {
  const socket = await bindPort(options.bindHost, options.port)
  socket.setSendBufferSize(SOCKET_BUFFER_BYTES)
  let served: Served | undefined
  let startKbps: number | undefined
  let closing: Promise<void> | undefined

  socket.on('message', (datagram, { address, port }) => {
    const heardMs = performance.now()
    const call = served?.flow.openCall(datagram, heardMs, startKbps)
    if (!served || !call) return
    served.callers.set(call.linkId, { address, port, heardMs })
    served.flow.takeCall(call, heardMs)
    turns.at(served.flow.dueMs())
  })
  // A way that is closed is not an error of the sender: its link falls silent.
  socket.on('error', () => {})

  function serve({ sessionId, key, bufferMs }: CalledSession): Served {
    checkBufferMs(bufferMs)
    const callers = new Map<string, Caller>()
    const flow = new SenderFlow({
      sessionId,
      key,
      bufferMs,
      transmit(linkId, _, datagram) {
        const to = callers.get(linkId)
        if (to) socket.send(datagram, to.port, to.address)
      },
    })
    return { flow, callers }
  }

  function tick({ flow, callers }: Served, nowMs: number): void {
    for (const [linkId, { heardMs }] of callers) {
      if (nowMs - heardMs < FORGET_AFTER_MS) continue
      callers.delete(linkId)
      flow.removeLink(linkId, nowMs)
    }
    flow.tick(nowMs)
    turns.at(flow.dueMs())
  }

  const turns = createDueTurns((nowMs) => served && tick(served, nowMs))
  return {
    port: socket.address().port,
    setSession(session) {
      served = session && serve(session)
      startKbps = session?.startKbps
    },
    setBufferMs(bufferMs) {
      checkBufferMs(bufferMs)
      if (served) served.flow.bufferMs = bufferMs
    },
    push(tsBytes) {
      if (!served) return
      served.flow.push(tsBytes, performance.now())
      turns.at(served.flow.dueMs())
    },
    stats: () => served?.flow.stats(performance.now()),
    close() {
      turns.end()
      served = undefined
      closing ??= new Promise((done) => socket.close(done))
      return closing
    },
  }
}
