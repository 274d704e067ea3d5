// A tunnel: streams, in order and repaired, and single datagrams as they come, over all links of a unit at once.
import type { Duplex } from 'node:stream'
import type { BondingClock } from './clock.ts'
import type { TunnelTerms } from './link-terms.ts'
import { createTunnelFlow } from './tunnel-flow.ts'
import { createTunnelStreams } from './tunnel-streams.ts'

const DATAGRAM_HEAD_BYTES = 6
/** Longer ones would not fit into a packet of a network. */
const LONGEST_DATAGRAM = 1400

/** A datagram for a place of the other end; `flow` numbers the senders that use the same place. */
export interface TunnelDatagram {
  readonly place: number
  readonly flow: number
  readonly bytes: Buffer
}

export interface TunnelUse {
  /** The other end has opened a stream to a place of this one. */
  readonly onStream: (place: string, stream: Duplex) => void
  readonly onDatagram: (datagram: TunnelDatagram) => void
}

export interface Tunnel {
  /** A stream to a place of the other end. Throws RangeError where there are too many. */
  open(place: string): Duplex
  sendDatagram(datagram: TunnelDatagram): void
  streams(): number
}

export interface TunnelEnd extends Tunnel {
  receive(packet: Buffer): void
  setLinks(ids: readonly string[]): void
  /** How this end, and the other one, uses the links for what it sends. */
  setTerms(own: TunnelTerms, others: TunnelTerms): void
  tick(): void
  close(): void
}

interface TunnelOptions extends TunnelUse {
  readonly end: 'caller' | 'port'
  readonly clock: BondingClock
  readonly send: (links: readonly string[], packet: Buffer) => void
}

export function createTunnel({ end, clock, send, onStream, onDatagram }: TunnelOptions): TunnelEnd {
  const flow = createTunnelFlow({
    clock,
    send,
    onRecord: (record) => streams.receive(record),
    onLoose(bytes) {
      if (bytes.length < DATAGRAM_HEAD_BYTES) return
      onDatagram({
        place: bytes.readUInt16BE(0),
        flow: bytes.readUInt32BE(2),
        bytes: bytes.subarray(DATAGRAM_HEAD_BYTES),
      })
    },
    onReset: () => streams.endAll('the other end of the tunnel has started again'),
  })
  const streams = createTunnelStreams({ end, send: flow.put, onOpen: onStream })
  return {
    open: streams.open,
    sendDatagram({ place, flow: number, bytes }) {
      if (bytes.length > LONGEST_DATAGRAM) return
      const head = Buffer.alloc(DATAGRAM_HEAD_BYTES)
      head.writeUInt16BE(place, 0)
      head.writeUInt32BE(number, 2)
      flow.putLoose(Buffer.concat([head, bytes]))
    },
    streams: streams.count,
    receive: flow.receive,
    setLinks: flow.setLinks,
    setTerms(own, others) {
      flow.setTerms(own)
      flow.sendTerms(others)
    },
    tick: flow.tick,
    close: () => streams.endAll('the tunnel has ended'),
  }
}
