// One UDP port that units call over each of their links: it answers each link where it was last seen.
import { CallSeal, type CallSession, ssrcOf } from './call-seal.ts'
import type { BondingClock } from './clock.ts'
import { bindPort } from './port-pair.ts'

const MOST_LINKS = 64

export interface CalledPortOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** A link that does not call for this long is forgotten; its next call brings it back. */
  forgetAfterMs: number
  clock: BondingClock
}

export interface ExpectedCaller extends CallSession {
  onFrame: (frame: { frame: number; index: number; instance: number; payload: Buffer }) => void
  /** A link calls that was not known, or was forgotten. */
  onNewLink?: () => void
}

export interface Caller {
  /** Ids of the links that call now. */
  links(): string[]
  /** Seals the frame once and sends it over those of the links that called. */
  send(frame: number, payload: Uint8Array, links: readonly string[]): void
  close(): void
}

export interface CalledPort {
  readonly port: number
  /** Admits a unit with the key. Throws RangeError for a key that is not 32 bytes. */
  admit(expected: ExpectedCaller): Caller
  close(): Promise<void>
}

interface LinkAddress {
  readonly address: string
  readonly port: number
  readonly calledMs: number
}

interface Admitted {
  readonly seal: CallSeal
  readonly expected: ExpectedCaller
  readonly addresses: Map<string, LinkAddress>
}

/** Resolves when the port is bound; rejects with the system's error. */
export async function openCalledPort(options: CalledPortOptions): Promise<CalledPort> {
  const { host, port, forgetAfterMs, clock } = options
  const socket = await bindPort(host, port)
  const admitted = new Map<number, Admitted>()
  let closing: Promise<void> | undefined

  function sendTo(to: LinkAddress, datagram: Buffer): void {
    if (!closing) socket.send(datagram, to.port, to.address)
  }

  socket.on('message', (datagram, { address, port: from }) => {
    const session = admitted.get(ssrcOf(datagram) ?? -1)
    const opened = session?.seal.open(datagram)
    if (!session || !opened) return
    if (opened.kind === 'frame') return session.expected.onFrame(opened)
    const { link, stampMs } = opened
    const isNew = !session.addresses.has(link)
    if (isNew && session.addresses.size >= MOST_LINKS) return
    const to = { address, port: from, calledMs: clock.nowMs() }
    session.addresses.set(link, to)
    if (isNew) session.expected.onNewLink?.()
    sendTo(to, session.seal.sealCall(link, stampMs))
  })
  // An address that is closed is not an error of the server: the link falls silent.
  socket.on('error', () => {})

  return {
    port: socket.address().port,
    admit(expected) {
      const seal = new CallSeal(expected, 'receiver')
      const addresses = new Map<string, LinkAddress>()
      const session: Admitted = { seal, expected, addresses }
      admitted.set(seal.ssrc, session)
      return {
        links() {
          const nowMs = clock.nowMs()
          for (const [link, { calledMs }] of addresses)
            if (nowMs - calledMs > forgetAfterMs) addresses.delete(link)
          return [...addresses.keys()]
        },
        send(frame, payload, links) {
          const to = links.flatMap((link) => addresses.get(link) ?? [])
          if (to.length === 0 || admitted.get(seal.ssrc) !== session) return
          const datagram = seal.sealFrame(frame, payload)
          for (const one of to) sendTo(one, datagram)
        },
        close() {
          addresses.clear()
          if (admitted.get(seal.ssrc) === session) admitted.delete(seal.ssrc)
        },
      }
    },
    close() {
      closing ??= new Promise((done) => socket.close(() => done()))
      admitted.clear()
      return closing
    },
  }
}
