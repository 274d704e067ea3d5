// The end of a databridge at the gateway: each stream becomes a connection to its host, each sender of datagrams a socket.
import { createSocket, type Socket } from 'node:dgram'
import { connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import type { TunnelDatagram, TunnelUse } from '@backhaul/bonding/tunnel'
import type { AdmittedDatabridge } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import type { AllowedPlaces } from './allowed-places.ts'

const CONNECT_WITHIN_MS = 10_000
/** A sender of datagrams that is silent for this long is forgotten. */
const SILENT_AFTER_MS = 60_000
const MOST_SENDERS = 256

export interface GatewayConnections extends TunnelUse {
  close(): void
}

export interface GatewayConnectionsOptions {
  ports: AdmittedDatabridge['ports']
  allowed: AllowedPlaces
  /** Into the tunnel. */
  answer: (datagram: TunnelDatagram) => void
  log: Log
}

interface Sender {
  readonly socket: Socket
  timer: NodeJS.Timeout
}

export function createGatewayConnections({
  ports,
  allowed,
  answer,
  log,
}: GatewayConnectionsOptions): GatewayConnections {
  const senders = new Map<string, Sender>()
  let isClosed = false

  const portAt = (place: number, protocol: 'tcp' | 'udp') => {
    const port = ports[place]
    return port?.protocol === protocol ? port : undefined
  }

  async function lead(place: number, stream: Duplex): Promise<void> {
    const port = portAt(place, 'tcp')
    if (!port) throw new Error('there is no such port')
    const host = await allowed.addressOf(port.host, port.hostPort)
    if (isClosed || stream.destroyed) return
    const socket = connect({ host, port: port.hostPort, allowHalfOpen: true })
    socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy(new Error('the host does not answer')))
    socket.on('connect', () => socket.setTimeout(0))
    pipeline(stream, socket, stream, (error) => {
      if (error) log.debug({ err: error, port }, 'connection of a databridge ended')
    })
  }

  function forget(name: string): void {
    const sender = senders.get(name)
    if (!sender) return
    clearTimeout(sender.timer)
    sender.socket.close()
    senders.delete(name)
  }

  const silence = (name: string) => setTimeout(() => forget(name), SILENT_AFTER_MS)

  function senderOf(place: number, flow: number): Sender {
    const name = `${place} ${flow}`
    const known = senders.get(name)
    if (known) {
      clearTimeout(known.timer)
      known.timer = silence(name)
      return known
    }
    const [oldest] = senders.keys()
    if (oldest !== undefined && senders.size >= MOST_SENDERS) forget(oldest)
    const socket = createSocket('udp4')
    socket.on('message', (bytes) => answer({ place, flow, bytes }))
    // A host that is not there answers nothing.
    socket.on('error', () => forget(name))
    const sender = { socket, timer: silence(name) }
    senders.set(name, sender)
    return sender
  }

  async function pass({ place, flow, bytes }: TunnelDatagram): Promise<void> {
    const port = portAt(place, 'udp')
    if (!port) return
    const host = await allowed.addressOf(port.host, port.hostPort)
    if (!isClosed) senderOf(place, flow).socket.send(bytes, port.hostPort, host, () => {})
  }

  return {
    onStream(place, stream) {
      lead(Number(place), stream).catch((error: unknown) => {
        log.warn({ err: error, place }, 'databridge: connection to the host failed')
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      })
    },
    onDatagram(datagram) {
      pass(datagram).catch((error: unknown) =>
        log.debug({ err: error, place: datagram.place }, 'datagram of a databridge dropped'),
      )
    },
    close() {
      isClosed = true
      for (const name of [...senders.keys()]) forget(name)
    },
  }
}
