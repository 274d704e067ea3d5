// The unit's end of a speech session: it opens a way over each of its links, and every frame goes over all of them.

import { CallSeal, type CallSession } from '@backhaul/bonding/call-seal'
import { type BondingClock, steadyClock } from '@backhaul/bonding/clock'
import { type LinkAddress, LinkSocket } from '@backhaul/bonding/link-socket'

/** NATs of carriers forget a way after 30 s or more; a link with a new address is found again within this time. */
const CALL_MS = 250
/** A link that was not answered for this long is down. */
const SILENT_AFTER_MS = 1000

export interface SpeechLink extends LinkAddress {
  readonly id: string
}

export interface SpeechLinkStats {
  readonly id: string
  /** The other end has answered within the last second. */
  readonly up: boolean
  readonly rttMs: number | null
  /** Why the link cannot call at present, or null. */
  readonly error: string | null
}

export interface SpeechCaller {
  addLink(link: SpeechLink): void
  removeLink(id: string): void
  /** A link that is switched off neither calls nor carries sound. */
  enableLink(id: string, isEnabled: boolean): void
  /** Sends a frame over every link; numbers go up by one for each 20 ms. */
  send(frame: number, payload: Uint8Array): void
  stats(): { readonly links: SpeechLinkStats[]; readonly received: number; readonly rejected: number }
  close(): void
}

interface Link {
  readonly socket: LinkSocket
  isEnabled: boolean
  answeredMs: number
  rttMs: number | null
}

export interface SpeechCallerOptions extends CallSession {
  /** Each frame once, from the link on which it came first. `instance` changes when the other end has started again. */
  onFrame: (frame: number, payload: Uint8Array, instance: number) => void
  clock?: BondingClock
}

/** @throws RangeError for a key that is not 32 bytes. */
export function createSpeechCaller(options: SpeechCallerOptions): SpeechCaller {
  const { onFrame, clock = steadyClock } = options
  const seal = new CallSeal(options, 'sender')
  const links = new Map<string, Link>()
  let received = 0
  let rejected = 0

  function receive(id: string, datagram: Buffer): void {
    const opened = seal.open(datagram)
    const link = links.get(id)
    if (!opened) rejected++
    if (!opened || !link) return
    if (opened.kind === 'frame') {
      received++
      onFrame(opened.frame, opened.payload, opened.instance)
      return
    }
    if (opened.link !== id) return
    const nowMs = clock.nowMs()
    link.answeredMs = nowMs
    link.rttMs = Math.max(0, nowMs - opened.stampMs)
  }

  function call(id: string, { socket, isEnabled }: Link): void {
    if (isEnabled) socket.send('media', seal.sealCall(id, clock.nowMs()))
  }

  const timer = setInterval(() => {
    for (const [id, link] of links) call(id, link)
  }, CALL_MS)

  return {
    addLink({ id, ...address }) {
      if (links.has(id)) throw new Error(`links: id "${id}" is used twice`)
      const socket = new LinkSocket(address, true, (datagram) => receive(id, datagram))
      links.set(id, { socket, isEnabled: true, answeredMs: Number.NEGATIVE_INFINITY, rttMs: null })
    },
    removeLink(id) {
      links.get(id)?.socket.close()
      links.delete(id)
    },
    enableLink(id, isEnabled) {
      const link = links.get(id)
      if (link) link.isEnabled = isEnabled
    },
    send(frame, payload) {
      const datagram = seal.sealFrame(frame, payload)
      for (const { socket, isEnabled } of links.values()) if (isEnabled) socket.send('media', datagram)
    },
    stats() {
      const nowMs = clock.nowMs()
      return {
        links: [...links].map(([id, { socket, answeredMs, rttMs }]) => ({
          id,
          up: nowMs - answeredMs < SILENT_AFTER_MS,
          rttMs,
          error: socket.error,
        })),
        received,
        rejected,
      }
    },
    close() {
      clearInterval(timer)
      for (const { socket } of links.values()) socket.close()
      links.clear()
    },
  }
}
