// The other end of all tunnels on one UDP port: it answers each link of a unit where it saw it last.
import { CallSeal, type CallSession, ssrcOf } from './call-seal.ts'
import { type BondingClock, steadyClock } from './clock.ts'
import { bindPort } from './port-pair.ts'
import { createTunnel, type Tunnel, type TunnelEnd, type TunnelUse } from './tunnel.ts'

const TICK_MS = 20
/** A link that does not call for this long carries nothing; its next call brings it back. */
const FORGET_AFTER_MS = 1500
const MOST_LINKS = 64

export interface TunnelEntry extends CallSession, TunnelUse {}

export interface AdmittedTunnel extends Tunnel {
  /** Ids of the links that call now. */
  links(): string[]
  close(): void
}

export interface TunnelPort {
  readonly port: number
  /** Admits a unit with the key. Throws RangeError for a key that is not 32 bytes. */
  admit(entry: TunnelEntry): AdmittedTunnel
  close(): Promise<void>
}

interface Way {
  readonly address: string
  readonly port: number
  readonly calledMs: number
}

interface Admitted {
  readonly seal: CallSeal
  readonly tunnel: TunnelEnd
  readonly ways: Map<string, Way>
}

/** Resolves when the port is bound, 0 being any free one; rejects with the system's error. */
export async function openTunnelPort(
  host: string,
  port: number,
  clock: BondingClock = steadyClock,
): Promise<TunnelPort> {
  const socket = await bindPort(host, port)
  const admitted = new Map<number, Admitted>()
  let closing: Promise<void> | undefined

  function sendTo(way: Way, datagram: Buffer): void {
    if (!closing) socket.send(datagram, way.port, way.address)
  }

  socket.on('message', (datagram, { address, port: from }) => {
    const session = admitted.get(ssrcOf(datagram) ?? -1)
    const opened = session?.seal.open(datagram)
    if (!session || !opened) return
    if (opened.kind === 'frame') {
      session.tunnel.receive(opened.payload)
      return
    }
    const { link, stampMs } = opened
    const isNew = !session.ways.has(link)
    if (isNew && session.ways.size >= MOST_LINKS) return
    const way = { address, port: from, calledMs: clock.nowMs() }
    session.ways.set(link, way)
    if (isNew) session.tunnel.setLinks(present(session))
    sendTo(way, session.seal.sealCall(link, stampMs))
  })
  // A way that is closed is not an error of the server: the link falls silent.
  socket.on('error', () => {})

  function present({ ways }: Admitted): string[] {
    const nowMs = clock.nowMs()
    for (const [link, { calledMs }] of ways) if (nowMs - calledMs > FORGET_AFTER_MS) ways.delete(link)
    return [...ways.keys()]
  }

  const timer = setInterval(() => {
    for (const session of admitted.values()) {
      session.tunnel.setLinks(present(session))
      session.tunnel.tick()
    }
  }, TICK_MS)

  return {
    port: socket.address().port,
    admit({ onStream, onDatagram, ...of }) {
      const seal = new CallSeal(of, 'receiver')
      const ways = new Map<string, Way>()
      const tunnel = createTunnel({
        end: 'port',
        clock,
        onStream,
        onDatagram,
        send(ids, packet) {
          const to = ids.flatMap((id) => ways.get(id) ?? [])
          if (to.length === 0) return
          const datagram = seal.sealFrame(0, packet)
          for (const way of to) sendTo(way, datagram)
        },
      })
      const session: Admitted = { seal, tunnel, ways }
      admitted.set(seal.ssrc, session)
      return {
        open: tunnel.open,
        sendDatagram: tunnel.sendDatagram,
        streams: tunnel.streams,
        links: () => present(session),
        close() {
          tunnel.close()
          ways.clear()
          if (admitted.get(seal.ssrc) === session) admitted.delete(seal.ssrc)
        },
      }
    },
    close() {
      clearInterval(timer)
      // The socket first: the other end learns of it from the next life of this one, which begins from the start.
      closing ??= new Promise((done) => socket.close(() => done()))
      for (const { tunnel } of admitted.values()) tunnel.close()
      admitted.clear()
      return closing
    },
  }
}
