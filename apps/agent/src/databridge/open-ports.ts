// The ports that machines of the crew connect to at the unit: what comes there goes into the tunnel, and back.
import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Tunnel, TunnelDatagram } from '@backhaul/bonding/tunnel'
import { because } from '@backhaul/contract/define/refusals'
import type { WantedDatabridge } from '@backhaul/contract/gateway/units'
import { Refused } from '@backhaul/device/refused'

/** Senders of datagrams on one port that answers find back to; the oldest is forgotten. */
const MOST_SENDERS = 256

export interface OpenPorts {
  /** An answer for one of the senders. */
  receive(datagram: TunnelDatagram): void
  close(): void
}

interface OpenPort {
  receive?(datagram: TunnelDatagram): void
  close(): void
}

/** Rejects with the reason, and leaves no port open. */
export async function openPorts(
  host: string,
  ports: WantedDatabridge['ports'],
  tunnel: Pick<Tunnel, 'open' | 'sendDatagram'>,
): Promise<OpenPorts> {
  const open: OpenPort[] = []
  const close = () => {
    for (const port of open) port.close()
  }
  try {
    for (const [place, { protocol, port }] of ports.entries())
      open.push(
        await (protocol === 'tcp' ? openTcp(host, port, place, tunnel) : openUdp(host, port, place, tunnel)),
      )
  } catch (error) {
    close()
    throw error
  }
  return { receive: (datagram) => open[datagram.place]?.receive?.(datagram), close }
}

const closed = (port: number, { code, message }: NodeJS.ErrnoException) =>
  new Refused(
    code === 'EADDRINUSE'
      ? because('databridge.portTaken', { port })
      : because('databridge.portFailed', { port, error: message }),
  )

async function openTcp(
  host: string,
  port: number,
  place: number,
  tunnel: Pick<Tunnel, 'open'>,
): Promise<OpenPort> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    try {
      pipeline(socket, tunnel.open(String(place)), socket, () => {})
    } catch {
      // The tunnel has as many streams as it can hold.
      socket.destroy()
    }
  })
  await listening(server, host, port)
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(closed(port, error)))
    server.listen({ host, port, exclusive: true }, resolve)
  })

async function openUdp(
  host: string,
  port: number,
  place: number,
  tunnel: Pick<Tunnel, 'sendDatagram'>,
): Promise<OpenPort> {
  const socket = createSocket('udp4')
  await bound(socket, host, port)
  const senders = new Map<number, RemoteInfo>()
  const flows = new Map<string, number>()
  let last = 0

  function flowOf(from: RemoteInfo): number {
    const name = `${from.address} ${from.port}`
    const known = flows.get(name)
    if (known !== undefined) return known
    const [oldest] = flows
    if (oldest && flows.size >= MOST_SENDERS) {
      flows.delete(oldest[0])
      senders.delete(oldest[1])
    }
    flows.set(name, ++last)
    senders.set(last, from)
    return last
  }

  socket.on('message', (bytes, from) => tunnel.sendDatagram({ place, flow: flowOf(from), bytes }))
  // An answer that cannot be delivered is lost, as on every network.
  socket.on('error', () => {})
  return {
    receive({ flow, bytes }) {
      const to = senders.get(flow)
      if (to) socket.send(bytes, to.port, to.address, () => {})
    },
    close: () => socket.close(),
  }
}

const bound = (socket: DatagramSocket, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close()
      reject(closed(port, error))
    })
    socket.bind({ address, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      resolve()
    })
  })
