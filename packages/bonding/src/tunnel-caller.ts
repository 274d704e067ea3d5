// The unit's end of a tunnel: its links call the other end, which answers each where it saw it last.
import { CallSeal, type CallSession } from './call-seal.ts'
import { type BondingClock, steadyClock } from './clock.ts'
import { type LinkAddress, LinkSocket } from './link-socket.ts'
import type { TunnelTerms } from './link-terms.ts'
import { RateMeter } from './rate-meter.ts'
import { createTunnel, type Tunnel, type TunnelUse } from './tunnel.ts'

/** NATs of carriers forget a way after 30 s or more; a link with a new address is found again within this time. */
const CALL_MS = 250
const TICK_MS = 20
/** A link that was not answered for this long is down. */
const SILENT_AFTER_MS = 1000

export interface TunnelLink extends LinkAddress {
  readonly id: string
}

export interface TunnelLinkStats {
  readonly id: string
  /** The other end has answered within the last second. */
  readonly up: boolean
  readonly rttMs: number | null
  readonly upKbps: number
  readonly downKbps: number
  /** Why the link cannot call at present, or null. */
  readonly error: string | null
}

export interface TunnelCaller extends Tunnel {
  addLink(link: TunnelLink): void
  removeLink(id: string): void
  /** A link that is switched off neither calls nor carries anything. */
  enableLink(id: string, isEnabled: boolean): void
  /** How the links are used for what this end sends, immediately, and for what the other one sends, from its receipt on. */
  setTerms(up: TunnelTerms, down: TunnelTerms): void
  stats(): { readonly links: TunnelLinkStats[] }
  close(): void
}

interface Link {
  readonly socket: LinkSocket
  readonly up: RateMeter
  readonly down: RateMeter
  isEnabled: boolean
  answeredMs: number
  rttMs: number | null
}

export interface TunnelCallerOptions extends CallSession, TunnelUse {
  clock?: BondingClock
}

/** @throws RangeError for a key that is not 32 bytes. */
export function createTunnelCaller(options: TunnelCallerOptions): TunnelCaller {
  const { onStream, onDatagram, clock = steadyClock } = options
  const seal = new CallSeal(options, 'sender')
  const links = new Map<string, Link>()

  const isUp = ({ isEnabled, answeredMs }: Link) => isEnabled && clock.nowMs() - answeredMs < SILENT_AFTER_MS

  const tunnel = createTunnel({
    end: 'caller',
    clock,
    onStream,
    onDatagram,
    send(ids, packet) {
      const datagram = seal.sealFrame(0, packet)
      for (const id of ids) {
        const link = links.get(id)
        link?.socket.send('media', datagram)
        link?.up.add(datagram.length, clock.nowMs())
      }
    },
  })

  function receive(id: string, datagram: Buffer): void {
    const opened = seal.open(datagram)
    const link = links.get(id)
    if (!opened || !link) return
    const nowMs = clock.nowMs()
    link.down.add(datagram.length, nowMs)
    if (opened.kind === 'frame') tunnel.receive(opened.payload)
    if (opened.kind === 'frame' || opened.link !== id) return
    const wasUp = isUp(link)
    link.answeredMs = nowMs
    link.rttMs = Math.max(0, nowMs - opened.stampMs)
    if (!wasUp) useLinks()
  }

  function useLinks(): void {
    tunnel.setLinks([...links].flatMap(([id, link]) => (isUp(link) ? [id] : [])))
  }

  function call(): void {
    for (const [id, { socket, isEnabled }] of links)
      if (isEnabled) socket.send('media', seal.sealCall(id, clock.nowMs()))
  }

  function turn(): void {
    useLinks()
    tunnel.tick()
  }

  const timers = [setInterval(call, CALL_MS), setInterval(turn, TICK_MS)]

  return {
    open: tunnel.open,
    sendDatagram: tunnel.sendDatagram,
    streams: tunnel.streams,
    addLink({ id, ...address }) {
      if (links.has(id)) throw new Error(`links: id "${id}" is used twice`)
      const socket = new LinkSocket(address, true, (datagram) => receive(id, datagram))
      links.set(id, {
        socket,
        up: new RateMeter(),
        down: new RateMeter(),
        isEnabled: true,
        answeredMs: Number.NEGATIVE_INFINITY,
        rttMs: null,
      })
    },
    removeLink(id) {
      links.get(id)?.socket.close()
      links.delete(id)
    },
    enableLink(id, isEnabled) {
      const link = links.get(id)
      if (link) link.isEnabled = isEnabled
    },
    setTerms: tunnel.setTerms,
    stats: () => ({
      links: [...links].map(([id, link]) => ({
        id,
        up: isUp(link),
        rttMs: link.rttMs,
        upKbps: link.up.kbps(clock.nowMs()),
        downKbps: link.down.kbps(clock.nowMs()),
        error: link.socket.error,
      })),
    }),
    close() {
      for (const timer of timers) clearInterval(timer)
      for (const { socket } of links.values()) socket.close()
      tunnel.close()
      links.clear()
    },
  }
}
