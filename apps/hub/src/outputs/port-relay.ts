// Sends from a chosen port on behalf of a program that cannot choose one: the program sends to the relay on this machine.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export interface PortRelay {
  /** The port that the program sends to; rejects when one of the ports is not available. */
  readonly ready: Promise<number>
  close(): void
}

export interface PortRelayOptions {
  host: string
  port: number
  sourcePort: number
}

export function openPortRelay({ host, port, sourcePort }: PortRelayOptions): PortRelay {
  const near = createSocket('udp4')
  const far = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  let program: RemoteInfo | undefined
  near.on('message', (packet, from) => {
    program = from
    far.send(packet, port, host)
  })
  far.on('message', (packet) => {
    if (program) near.send(packet, program.port, program.address)
  })
  return {
    ready: Promise.all([bound(near, 0, '127.0.0.1'), bound(far, sourcePort)]).then(() => near.address().port),
    close() {
      near.close()
      far.close()
    },
  }
}

function bound(socket: Socket, port: number, address?: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // After the start no call waits for it: packets that cannot be sent are lost, as on the network itself.
  socket.on('error', reject)
  socket.bind({ port, exclusive: true, ...(address && { address }) }, resolve)
  return promise
}
