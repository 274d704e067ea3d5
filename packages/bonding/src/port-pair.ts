// UDP sockets of a fixed port, alone or as a pair: an even port for media and the odd one above it for control.
import type { Socket } from 'node:dgram'
import { createUdpSocket } from './udp.ts'

const ATTEMPTS = 50
const SOCKET_BUFFER_BYTES = 4 << 20

export type PortPair = { media: Socket; control: Socket; port: number }

/** Binds one port; 0 finds a free one. Rejects with the system's error. */
export function bindPort(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createUdpSocket(host)
    socket.once('error', (error) => {
      socket.close()
      reject(error)
    })
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      socket.setRecvBufferSize(SOCKET_BUFFER_BYTES)
      resolve(socket)
    })
  })
}

/** Binds the given even port and the next; port 0 finds a free pair. Rejects with the system's error. */
export async function bindPortPair(host: string, port: number): Promise<PortPair> {
  for (let attempt = 1; ; attempt++) {
    const media = await bindPort(host, port)
    const bound = media.address().port
    try {
      if (bound % 2 === 0) return { media, control: await bindPort(host, bound + 1), port: bound }
    } catch (error) {
      if (port !== 0 || attempt === ATTEMPTS) {
        media.close()
        throw error
      }
    }
    media.close()
    if (attempt === ATTEMPTS) throw new Error(`port: no free pair of ports on ${host}`)
  }
}
