// The server's end of all speech sessions on one UDP port: it answers each link of a unit where it saw it last.
import type { Socket } from 'node:dgram'
import { CallSeal, type CallSession, ssrcOf } from '@backhaul/bonding/call-seal'
import { type BondingClock, steadyClock } from '@backhaul/bonding/clock'
import { bindPort } from '@backhaul/bonding/port-pair'

/** A link that does not call for this long gets no sound; its next call brings it back. */
const FORGET_AFTER_MS = 2000
const MOST_LINKS = 64

export interface SpeechEntry extends CallSession {
  /** Each frame once. `index` counts the packets without a gap, `instance` changes when the unit has started again. */
  onFrame: (sound: { frame: number; index: number; instance: number; payload: Buffer }) => void
}

export interface SpeechWay {
  /** Sends a frame over every link that calls. */
  send(frame: number, payload: Uint8Array): void
  /** Ids of the links that call now. */
  links(): string[]
  close(): void
}

export interface SpeechPort {
  readonly port: number
  /** Admits a unit with the key. Throws RangeError for a key that is not 32 bytes. */
  admit(entry: SpeechEntry): SpeechWay
  close(): Promise<void>
}

interface Way {
  readonly address: string
  readonly port: number
  readonly heardMs: number
}

interface Admitted {
  readonly seal: CallSeal
  readonly entry: SpeechEntry
  readonly ways: Map<string, Way>
}

/** Resolves when the port is bound, 0 being any free one; rejects with the system's error. */
export async function openSpeechPort(
  host: string,
  port: number,
  clock: BondingClock = steadyClock,
): Promise<SpeechPort> {
  const socket = await bindPort(host, port)
  const sessions = new Map<number, Admitted>()
  let closing: Promise<void> | undefined

  socket.on('message', (datagram, { address, port: from }) => {
    const session = sessions.get(ssrcOf(datagram) ?? -1)
    const opened = session?.seal.open(datagram)
    if (!session || !opened) return
    if (opened.kind === 'frame') return session.entry.onFrame(opened)
    const way = { address, port: from, heardMs: clock.nowMs() }
    if (!session.ways.has(opened.link) && session.ways.size >= MOST_LINKS) return
    session.ways.set(opened.link, way)
    sendOver(socket, way, session.seal.sealCall(opened.link, opened.stampMs))
  })
  // A way that is closed is not an error of the server: the link falls silent.
  socket.on('error', () => {})

  function present({ ways }: Admitted): [string, Way][] {
    const nowMs = clock.nowMs()
    for (const [link, { heardMs }] of ways) if (nowMs - heardMs > FORGET_AFTER_MS) ways.delete(link)
    return [...ways]
  }

  return {
    port: socket.address().port,
    admit(entry) {
      const seal = new CallSeal(entry, 'receiver')
      const session: Admitted = { seal, entry, ways: new Map() }
      sessions.set(seal.ssrc, session)
      return {
        send(frame, payload) {
          const ways = present(session)
          if (ways.length === 0 || sessions.get(seal.ssrc) !== session) return
          const datagram = seal.sealFrame(frame, payload)
          for (const [, way] of ways) sendOver(socket, way, datagram)
        },
        links: () => present(session).map(([link]) => link),
        close() {
          session.ways.clear()
          if (sessions.get(seal.ssrc) === session) sessions.delete(seal.ssrc)
        },
      }
    },
    close() {
      sessions.clear()
      closing ??= new Promise((done) => socket.close(() => done()))
      return closing
    },
  }
}

function sendOver(socket: Socket, { address, port }: Way, datagram: Buffer): void {
  socket.send(datagram, port, address, () => {})
}
